import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { shownPath } from '../../src/server/logging.ts'

const SECRET = 'https%3A%2F%2Fhost%2Ffile.nc%3FX-Amz-Signature%3Dabc123'
const STORES = [
  '/zarr/sea-surface.nc',
  '/zarr/sea-surface.nc;codecs=raw',
  '/zarr/sea-surface.nc;select=time:0',
  '/zarr/sea-surface.nc;sig=abc123;codecs=raw',
  `/zarr/${SECRET}`,
  `/zarr/~${Buffer.from(SECRET).toString('base64url')}abc123`,
  '/zarr/https:',
  '/zarr/',
  '/zarr/sea-surface.nc/~abc123',
  `/zarr/${'abc123'.repeat(300)}:`,
  '/abc',
]
const KEYS = [
  '/zarr.json',
  '/t/c/0/0',
  '',
  '/',
  '//host/path',
  '/a/~abc123/c/0',
  '/host:abc123/x/y',
  '/t;x/c/0',
  '/%3aabc123',
]

test('a path is shown without its source, a signature or a query', () => {
  for (const store of STORES) {
    for (const key of KEYS) {
      const shown = shownPath(store + key)
      assert.equal(`${shown}?…`, shownPath(`${store}${key}?secret`), store + key)
      assert.ok(!shown.includes('abc123'), shown)
    }
  }
  assert.equal(shownPath('/zarr/sea-surface.nc;codecs=raw/sst/c/0'), '/zarr/sea-surface.nc;codecs=raw/sst/c/0')
  assert.match(shownPath(`/zarr/${SECRET}/sst/c/0`), /^\/zarr\/~[0-9a-f]{8}\/sst\/c\/0$/)
})

test('a line is written though the process ends in the same turn', () => {
  const module = new URL('../../src/server/logging.ts', import.meta.url).href
  const script = `const { loggerOptions } = await import('${module}')
    loggerOptions('info').stream.write('the last line\\n')
    process.exit(0)`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  assert.equal(output, 'the last line\n')
})
