import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openVirtual, type Source, virtualStore } from '../../src/index.ts'
import { memorySource } from '../../src/source/memory.ts'
import { changesSince } from '../../src/verify/against.ts'
import { KeptReader } from '../../src/verify/readers/reader-process.ts'
import type { VerifyReport } from '../../src/verify/report.ts'
import { sampledChunks } from '../../src/verify/sample.ts'
import { verifySource } from '../../src/verify/verify.ts'
import { type BuiltField, buildTiff, greyFields } from '../formats/tiff/build.ts'
import { type Commands, startCommands } from '../helpers/commands.ts'

/** A file of the examples, or of an absolute path. */
const example = (name: string) =>
  isAbsolute(name) ? name : fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))

const readers = new KeptReader()
after(() => readers.close())

/** Verifies what is served of some bytes with what the reader finds in a file. */
async function verified(bytes: Uint8Array, name: string, format: string, sample = 1): Promise<VerifyReport> {
  const source: Source = memorySource(`https://archive.example/${basename(name)}`, bytes, '"v1"')
  const { version } = await openVirtual(source)
  return await verifySource({
    store: virtualStore(source),
    source: source.url,
    format,
    version,
    sample,
    async openReader() {
      const reader = readers.take()
      return { reader, name: await reader.open(format, example(name)) }
    },
  })
}

const FILES = [
  ['currents.nc', 'hdf5', 7],
  ['harvest.tif', 'tiff', 15],
  ['sea-surface.nc', 'netcdf3', 5],
] as const

for (const planar of [1, 2]) {
  test(`bands of different scales are confirmed one by one, planar configuration ${planar}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'verify-bands-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const xml = '<GDALMetadata><Item name="SCALE" sample="1" role="scale">0.5</Item></GDALMetadata>\0'
    const strips = planar === 1 ? [8] : [8, 14]
    const fields = greyFields(3, 2, [
      { tag: 258, type: 3, values: [8, 8] },
      { tag: 273, type: 4, values: strips },
      { tag: 277, type: 3, values: [2] },
      { tag: 279, type: 4, values: strips.map(() => 12 / strips.length) },
      { tag: 284, type: 3, values: [planar] },
      { tag: 42112, type: 2, values: xml },
    ])
    const bytes = buildTiff([{ fields }], { data: Uint8Array.from({ length: 12 }, (_, at) => at * 7) })
    const path = join(folder, 'bands.tif')
    writeFileSync(path, bytes)
    const report = await verified(bytes, path, 'tiff')
    const confirmed = Object.entries(report.arrays).filter(([, { result }]) => result === 'confirmed')
    assert.deepEqual(
      confirmed.map(([name]) => name),
      ['band_1', 'band_2'],
    )
    assert.equal(report.totals.differs, 0)
  })
}

for (const [name, format, arrays] of FILES) {
  test(`${name} is confirmed, value by value`, async () => {
    const report = await verified(readFileSync(example(name)), name, format)
    assert.equal(report.totals.differs, 0, JSON.stringify(report.arrays))
    assert.equal(report.totals.confirmed, arrays)
    assert.ok(report.totals.values > 20_000)
    for (const { result, compared } of Object.values(report.arrays)) {
      if (result === 'confirmed') assert.ok(compared.includes('shape') && compared.includes('values'))
    }
  })
}

test('what marks missing points of records is confirmed field by field', async () => {
  const path = fileURLToPath(new URL('../fixtures/hdf5/record_fill.h5', import.meta.url))
  const { arrays, totals } = await verified(readFileSync(path), path, 'hdf5')
  assert.equal(totals.differs, 0, JSON.stringify(arrays))
  for (const field of ['d/a', 'd/b'])
    assert.ok(arrays[field]?.compared.includes('_FillValue'), JSON.stringify(arrays[field]))
})

// rasterio 1.5 (GDAL 3.12) has the coordinates that are served, to 1e-8 m, for COGs of 1001 by 777 pixels of both kinds.
for (const [kind, key, origin] of [
  ['points', 2, 500_000.3],
  ['areas whose coordinates cross 0', 1, -20_037_508.342789244],
] as const) {
  test(`the coordinates of overviews are confirmed, whose sizes are no whole fractions, of ${kind}`, async () => {
    const [width, height] = [1001, 7]
    const step = 40_075_016.68557849 / width
    const image = (columns: number, rows: number, changes: readonly BuiltField[]) =>
      greyFields(columns, rows, [{ tag: 254, type: 4, values: [changes.length === 0 ? 1 : 0] }, ...changes])
    const place = [
      { tag: 33550, type: 12, values: [step, step, 0] },
      { tag: 33922, type: 12, values: [0, 0, 0, origin, 12_000, 0] },
      { tag: 34735, type: 3, values: [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, key, 3072, 0, 1, 3857] },
    ]
    const sizes = [[500, 3] as const, [250, 2] as const, [125, 1] as const]
    const ifds = [image(width, height, place), ...sizes.map(([columns, rows]) => image(columns, rows, []))]
    const bytes = buildTiff(
      ifds.map((fields) => ({ fields })),
      { data: new Uint8Array(width * height).fill(1) },
    )
    const folder = mkdtempSync(join(tmpdir(), 'vz-verify-'))
    try {
      writeFileSync(join(folder, 'cog.tif'), bytes)
      const { arrays, totals } = await verified(bytes, join(folder, 'cog.tif'), 'tiff')
      assert.equal(totals.differs, 0, JSON.stringify(arrays))
      for (const path of ['x', 'y', '1/x', '2/x', '3/x', '3/y']) assert.equal(arrays[path]?.result, 'confirmed', path)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

test('a byte that is patched on the way is found each time', async () => {
  const bytes = readFileSync(example('sea-surface.nc'))
  // The values of `sst` are the last in the file.
  for (let round = 0; round < 12; round++) {
    const patched = Uint8Array.from(bytes)
    const at = bytes.length - 1 - round * 4_871
    patched[at] = (patched[at] ?? 0) ^ (1 << (round % 8))
    const { arrays, totals } = await verified(patched, 'sea-surface.nc', 'netcdf3')
    assert.equal(totals.differs, 1, `byte ${at}`)
    assert.equal(arrays['sst']?.result, 'differs')
    assert.equal(arrays['sst']?.differences[0]?.count, 1)
  }
})

test('compressed values that are patched are refused or found, and never confirmed', async () => {
  const bytes = readFileSync(example('harvest.tif'))
  for (let at = 70_000; at < bytes.length; at += 90_001) {
    const patched = Uint8Array.from(bytes)
    patched[at] = (patched[at] ?? 0) ^ 0x10
    const { totals } = await verified(patched, 'harvest.tif', 'tiff')
    assert.ok(totals.confirmed < 15, `byte ${at} of ${bytes.length}`)
  }
})

test('a report kept before tells what has changed since', async () => {
  const bytes = readFileSync(example('sea-surface.nc'))
  const before = await verified(bytes, 'sea-surface.nc', 'netcdf3')
  assert.deepEqual(changesSince(before, await verified(bytes, 'sea-surface.nc', 'netcdf3')), [])
  const patched = Uint8Array.from(bytes)
  patched[bytes.length - 5] = (patched[bytes.length - 5] ?? 0) ^ 1
  const now = await verified(patched, 'sea-surface.nc', 'netcdf3')
  assert.deepEqual(
    changesSince(before, now).map(({ path, what }) => [path, what]),
    [['sst', 'values']],
  )
  const { sst: _sst, ...others } = before.arrays
  assert.deepEqual(
    changesSince(before, { ...before, arrays: others }).map(({ path, what }) => [path, what]),
    [['sst', 'removed']],
  )
})

test('a sample is the same chunks each time, the ends among them, and no more than asked for', () => {
  assert.deepEqual([...sampledChunks([], 0.05)], [[]])
  assert.deepEqual([...sampledChunks([0, 3], 1)], [])
  const all = [...sampledChunks([7, 9], 1)].map(String)
  assert.equal(new Set(all).size, 63)
  const some = [...sampledChunks([100, 100], 0.05)].map(String)
  assert.ok(some.includes('0,0') && some.includes('99,99'))
  assert.ok(new Set(some).size === some.length && some.length <= 502 && some.length >= 500)
})

describe('virtual-zarr verify', () => {
  let folder: string
  let commands: Commands
  before(() => {
    commands = startCommands()
    folder = mkdtempSync(join(tmpdir(), 'vz-verify-'))
  })
  after(async () => {
    await commands.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('says by its exit code what came of it, and keeps a report', async () => {
    const confirmed = await commands.run(['verify', example('sea-surface.nc'), '--all', '--json'])
    assert.equal(confirmed.code, 0, confirmed.stderr)
    const report = join(folder, 'report.json')
    writeFileSync(report, confirmed.stdout)
    assert.equal((await commands.run(['verify', example('sea-surface.nc'), '--against', report])).code, 0)
    const none = await commands.run(['verify', example('nebula.fits')])
    assert.equal(none.code, 3)
    assert.match(none.stdout, /FITS/)
    assert.equal((await commands.run(['verify', example('sea-surface.nc'), '--sample', 'much'])).code, 2)
    assert.equal((await commands.run(['verify', join(folder, 'absent.nc')])).code, 2)
  })

  test('ends when it is stopped, whatever an origin is doing', { timeout: 60_000 }, async () => {
    const asked = Promise.withResolvers<void>()
    const origin = createServer(() => asked.resolve()).listen(0, '127.0.0.1')
    await once(origin, 'listening')
    const { port } = origin.address() as AddressInfo
    const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url))
    const command = spawn(process.execPath, [main, 'verify', `http://127.0.0.1:${port}/silent.nc`], { stdio: 'ignore' })
    try {
      await asked.promise
      command.kill('SIGINT')
      const [code] = (await once(command, 'exit')) as [number | null]
      assert.equal(code, 130)
    } finally {
      command.kill('SIGKILL')
      origin.closeAllConnections()
      origin.close()
    }
  })
})
