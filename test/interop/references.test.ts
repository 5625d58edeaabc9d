import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { unpack } from './unpack.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)

/** By the end of the example's URL: what reads the source. */
const FORMATS: readonly (readonly [ending: RegExp, format: string])[] = [
  [/\.nc$/, 'netcdf'],
  [/\.zarr(?:\/|\.zip)$/, 'zarr'],
  [/\.tif$/, 'tiff'],
  [/\.fits$/, 'fits'],
  [/\.json$/, 'kerchunk'],
]

interface Row {
  readonly client: string
  readonly case: string
  readonly read: number
  readonly failures: readonly string[]
}

let server: ServerProcess
let origin: StaticOrigin
let folder: string

before(async () => {
  origin = await startStaticOrigin(EXAMPLES)
  server = await startServer({ VZ_ALLOW_SOURCES: origin.url })
  folder = mkdtempSync(join(tmpdir(), 'interop-references-'))
})
after(async () => {
  await server?.stop()
  await origin?.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

test("each example's export has the values of its source in xarray's kerchunk engine, fsspec and VirtualiZarr", async () => {
  const { datasets: all } = parse(readFileSync(new URL('catalog.yaml', EXAMPLES), 'utf8')) as {
    datasets: readonly { readonly id: string; readonly url: string }[]
  }
  // What is made of several files is exported by `joins.test.ts`; nothing here reads HDF4, GRIB or Icechunk, which their own tests compare.
  const datasets = all.filter(({ id }) => !['rain', 'coast', 'meadow', 'vegetation', 'forecast', 'tides'].includes(id))
  const cases = await Promise.all(datasets.map(async ({ id, url }) => await exported(id, url)))
  const { rows } = await pythonJob<{ rows: readonly Row[] }>('references_check.py', { cases })
  const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
  assert.deepEqual(failures, [])
  for (const { id } of datasets) {
    const read = rows.filter((row) => row.case === id).map(({ client }) => client)
    const clients = ['kerchunk engine', 'fsspec and zarr-python', 'VirtualiZarr']
    // VirtualiZarr reads no sets with groups, whoever wrote them.
    const expected = [
      ...clients.map((client) => `${client}, refs`),
      ...clients.slice(0, 2).map((client) => `${client}, set`),
    ]
    assert.deepEqual(read.slice(0, 5), expected, id)
  }
  const empty = rows.filter(({ read }) => read === 0).map((row) => `${row.client}, ${row.case}`)
  assert.deepEqual(empty, [])
  console.log(`${rows.length} rows, ${rows.reduce((sum, { read }) => sum + read, 0)} arrays equal`)
})

/** The export of an example in both forms, written to files. */
async function exported(id: string, name: string) {
  const query = `${server.url}export?url=${encodeURIComponent(origin.url + name)}`
  const document = await fetch(query)
  const text = await document.text()
  assert.equal(document.status, 200, `${id}: ${text.slice(0, 500)}`)
  assert.equal((JSON.parse(text) as { metadata?: unknown }).metadata, undefined, `${id}: nothing is left out`)
  const refs = join(folder, `${id}.json`)
  writeFileSync(refs, text)
  const archive = await fetch(`${query}&to=kerchunk-parquet`)
  assert.equal(archive.status, 200, id)
  const set = join(folder, `${id}.parq`)
  unpack(Buffer.from(await archive.arrayBuffer()), set)
  const described = name.replace(/\.dmrpp$/, '')
  const format = FORMATS.find(([ending]) => ending.test(described))?.[1]
  assert.ok(format, id)
  const source = fileURLToPath(new URL(described, EXAMPLES))
  return { id, refs, set, format, source: source.replace(/\/$/, ''), origin: origin.url.replace(/\/$/, '') }
}
