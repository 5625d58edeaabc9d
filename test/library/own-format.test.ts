import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as zarr from 'zarrita'
import { type Format, formats, openVirtual, serve, virtualStore } from '../../src/index.ts'
import { readConfig } from '../../src/server/config.ts'
import { openService } from '../../src/server/service.ts'

/** `numpy.save` of `numpy.arange(6, dtype='>f4').reshape(2, 3) / 2` (NumPy 2.3). */
const SAVED = Buffer.concat([
  Buffer.from(
    `${"\x93NUMPY\x01\x00v\x00{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }".padEnd(127)}\n`,
    'latin1',
  ),
  Buffer.from('000000003f0000003f8000003fc000004000000040200000', 'hex'),
])
const VALUES = [0, 0.5, 1, 1.5, 2, 2.5]

/** The module that the page builds, with the package as this checkout has it. */
export function moduleOfPage(packageName = 'virtual-zarr-server'): string {
  const page = readFileSync(new URL('../../docs/writing-a-format.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block)
  return blocks.join('\n').replaceAll("'virtual-zarr-server'", `'${packageName}'`)
}

describe('the format that docs/writing-a-format.md builds', () => {
  let folder: string
  let npy: Format

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vz-format-'))
    writeFileSync(join(folder, 'a.npy'), SAVED)
    writeFileSync(join(folder, 'npy.ts'), moduleOfPage(new URL('../../src/index.ts', import.meta.url).href))
    writeFileSync(join(folder, 'config.yaml'), 'formats: [./npy.ts]\n')
    npy = (await import(pathToFileURL(join(folder, 'npy.ts')).href)).npy
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function valuesOf(store: zarr.AsyncReadable): Promise<number[]> {
    const array = await zarr.open(zarr.root(store), { kind: 'array' })
    const { data } = (await zarr.get(array)) as zarr.Chunk<'float32'>
    return Array.from(data)
  }

  test('the module is as long as the page says', () => {
    const lines = moduleOfPage()
      .split('\n')
      .filter((line) => line.trim() !== '')
    assert.ok(lines.length < 85, `${lines.length} lines`)
  })

  test('the library reads by it, and knows nothing of it where it is not given', async () => {
    assert.deepEqual(await valuesOf(virtualStore(SAVED, { formats: [npy, ...formats] })), VALUES)
    await assert.rejects(openVirtual(SAVED), { code: 'unknown-format' })
    const forced = openVirtual(SAVED, { options: { format: 'x-npy' } })
    await assert.rejects(forced, /there is no format x-npy here/)
  })

  test('a damaged file is refused, and never read as something else', async () => {
    const open = (bytes: Uint8Array) => openVirtual(bytes, { formats: [npy, ...formats] })
    for (const length of [7, 9, 60, 130, SAVED.length - 1]) {
      await assert.rejects(open(SAVED.subarray(0, length)), { code: 'malformed-source' }, `${length} bytes`)
    }
    const fortran = Buffer.from(SAVED.toString('latin1').replace('False', 'True '), 'latin1')
    await assert.rejects(open(fortran), { code: 'unsupported-feature' })
  })

  test('the server serves by it, as its configuration file says: listed, found and forced', async () => {
    const settings = { port: 0, 'log-level': 'silent', config: join(folder, 'config.yaml') }
    const service = await serve({ paths: [folder], settings })
    try {
      const { datasets } = (await (await fetch(`${service.url}/datasets`)).json()) as {
        datasets: { id: string; format: string }[]
      }
      assert.deepEqual(
        datasets.map(({ id, format }) => [id, format]),
        [['a.npy', 'x-npy']],
      )
      for (const option of ['', ';format=x-npy', ';codecs=raw']) {
        assert.deepEqual(await valuesOf(new zarr.FetchStore(`${service.url}/zarr/a.npy${option}`)), VALUES)
      }
      const unknown = await fetch(`${service.url}/zarr/a.npy;format=x-other/zarr.json`)
      assert.equal(unknown.status, 400)
      assert.match(await unknown.text(), /its own are x-npy/)
    } finally {
      await service.close()
    }
  })

  test('what is no format stops the start, and says why', async () => {
    const config = (path: string) =>
      readConfig({ flags: { formats: path }, environment: {}, bundledCatalog: undefined })
    const wrong = (path: string) => serve({ settings: { port: 0, formats: path } })
    writeFileSync(join(folder, 'none.ts'), 'export const nothing = 1\n')
    await assert.rejects(wrong(join(folder, 'none.ts')), /exports no format/)
    await assert.rejects(wrong(join(folder, 'absent.ts')), /can't be loaded/)
    const plain = { ...npy, name: 'npy' }
    assert.throws(() => openService(config(''), { formats: [plain] }), /must be x-/)
    assert.throws(() => openService(config(''), { formats: [npy, npy] }), /two formats/)
  })
})
