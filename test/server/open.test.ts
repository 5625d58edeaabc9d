import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hasScreen } from '../../src/server/commands/open.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url))
let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'vz-open-'))
  writeFileSync(join(folder, 'My grid.nc'), netcdf3File({ rows: 4, columns: 3 }))
  for (const name of ['some files', 'nothing here', 'one.zarr']) mkdirSync(join(folder, name))
  for (const name of ['a.nc', 'b.nc'])
    writeFileSync(join(folder, 'some files', name), netcdf3File({ rows: 4, columns: 3 }))
  writeFileSync(join(folder, 'nothing here', 'notes.txt'), 'nothing')
  writeFileSync(join(folder, 'one.zarr', 'zarr.json'), '{"zarr_format":3,"node_type":"group","attributes":{}}')
})
after(() => rmSync(folder, { recursive: true }))

test('open serves one file, prints where the explorer shows it, and ends on a signal', async () => {
  const child = spawn(process.execPath, [MAIN, 'open', join(folder, 'My grid.nc')], {
    env: { ...process.env, PORT: '' },
  })
  const exited = once(child, 'exit')
  let text = ''
  for await (const bytes of child.stdout) {
    text += bytes
    if (text.includes('until ^C')) break
  }
  const [page = ''] = /http:\S+/.exec(text) ?? []
  assert.match(page, /^http:\/\/127\.0\.0\.1:\d+\/\?source=my-grid\.nc$/)
  assert.equal((await fetch(page)).status, 200)
  const store = new URL('/zarr/my-grid.nc/temperature/c/0/0', page)
  assert.equal((await (await fetch(store)).arrayBuffer()).byteLength, 48)
  // Only what was named is open.
  const other = new URL(`/resolve?url=${encodeURIComponent('file:///etc/hostname')}`, page)
  assert.equal((await fetch(other)).status, 403)
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
})

test('open is one process whatever VZ_WORKERS says: a port that one has is taken for the next', async () => {
  const start = (port: string) =>
    spawn(process.execPath, [MAIN, 'open', join(folder, 'My grid.nc')], {
      env: { ...process.env, PORT: port, VZ_WORKERS: '2' },
    })
  const first = start('0')
  try {
    let text = ''
    for await (const bytes of first.stdout) {
      text += bytes
      if (text.includes('until ^C')) break
    }
    const second = start(new URL(/http:\S+/.exec(text)?.[0] ?? '').port)
    let errors = ''
    second.stderr.on('data', (bytes) => {
      errors += bytes
    })
    // It would go on.
    second.stdout.on('data', () => second.kill('SIGTERM'))
    await once(second, 'close')
    assert.match(errors, /is in use/)
  } finally {
    first.kill('SIGTERM')
    await once(first, 'exit')
  }
})

const OPENED: readonly (readonly [what: string, word: string, page: RegExp, stores: number])[] = [
  ['a relative path with blanks', './My grid.nc', /\?source=my-grid\.nc$/, 1],
  ['a folder of several files', 'some files', /:\d+\/$/, 2],
  ['a Zarr store in a folder', 'one.zarr', /\?source=one\.zarr$/, 1],
  ['the same with a slash behind it', 'one.zarr/', /\?source=one\.zarr$/, 1],
  ['a folder with nothing in it that is read', 'nothing here', /:\d+\/$/, 0],
]
for (const [what, word, address, count] of OPENED) {
  test(`open shows ${what}, and each of its stores answers`, async () => {
    const args = [MAIN, 'open', word, '--json', '--no-browser']
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, PORT: '' } })
    const exited = once(child, 'exit')
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const { page, stores } = JSON.parse(line.toString()) as { page: string; stores: string[] }
      assert.match(page, address)
      assert.equal(stores.length, count)
      for (const url of [page, ...stores.map((store) => `${store}zarr.json`)])
        assert.equal((await fetch(url)).status, 200, url)
    } finally {
      child.kill('SIGTERM')
      await exited
    }
  })
}

test('a browser is started only where somebody looks at a screen', () => {
  const cases: readonly [Record<string, string>, string, boolean, boolean][] = [
    [{ DISPLAY: ':0' }, 'linux', true, true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true, true],
    [{}, 'linux', true, false],
    [{ DISPLAY: ':0' }, 'linux', false, false],
    [{ DISPLAY: ':0', CI: 'true' }, 'linux', true, false],
    [{}, 'darwin', true, true],
    [{ SSH_CONNECTION: 'a b' }, 'darwin', true, false],
    [{ CI: '1' }, 'win32', true, false],
  ]
  for (const [environment, platform, isTerminal, expected] of cases)
    assert.equal(hasScreen(environment, platform, isTerminal), expected, JSON.stringify([environment, platform]))
})
