import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { member } from '../corpus/golden.ts'
import { readZarrita } from '../corpus/read-zarrita.ts'
import { consolidatedDocuments, getDocument } from '../corpus/store-client.ts'
import { hashOf } from '../corpus/values.ts'
import { pythonScript } from './python.ts'
import { rustReader } from './rust-reader.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

interface Row {
  readonly read: number
  readonly wrong: readonly string[]
  readonly errors: readonly string[]
}

interface Names {
  /** The number from which the values of each array were made. */
  readonly numbers: Readonly<Record<string, number>>
  readonly clients: Readonly<Record<string, Row>>
}

/** As python/contract.py makes them. */
function valuesOf(number: number): Uint8Array {
  return new Uint8Array(Int32Array.from({ length: 8 }, (_, at) => 100 + number * 10 + at).buffer)
}

const python = pythonScript('contract.py')

describe('the HTTP contract as clients meet it', () => {
  let server: ServerProcess
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'contract-'))
    await python('make', folder)
    server = await startServer({ VZ_FILE_ROOT: folder, VZ_LOG_LEVEL: 'error' })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const storeOf = (name: string) => storeUrl(server.url, pathToFileURL(join(folder, name)).href)

  test('BYTES-1: no client reads fill where data are, whatever the names', async () => {
    const { numbers, clients } = (await python('names', storeOf('names.h5'))) as Names
    const rows = { ...clients, zarrita: await readNames(numbers) }
    console.table(
      Object.fromEntries(
        Object.entries(rows).map(([name, { read, wrong, errors }]) => [
          name,
          { read, wrong: wrong.length, errors: errors.length },
        ]),
      ),
    )
    const count = Object.keys(numbers).length
    assert.ok(count > 500, `${count} arrays`)
    for (const [client, row] of Object.entries(rows))
      assert.deepEqual(row, { read: count, wrong: [], errors: [] }, client)
  })

  test('BYTES-1: nor does zarrs in Rust, which encodes names twice', async (t) => {
    const reader = rustReader()
    if ('skip' in reader) return t.skip(reader.skip)
    const url = storeOf('names.h5')
    const documents = [...consolidatedDocuments(await getDocument(url, ''))]
    const numbers = documents.flatMap(([path, document]) => {
      const number = member(document['attributes'] ?? null, 'number')
      return typeof number === 'number' ? [[path, number] as const] : []
    })
    const [answer] = await reader.read([{ id: 'names', url, paths: numbers.map(([path]) => path) }])
    const expected = numbers.map(([path, number]) => [
      path,
      { sha256: hashOf({ kind: 'fixed', bytes: valuesOf(number) }) },
    ])
    assert.ok(expected.length > 500)
    assert.deepEqual({ ...answer?.arrays }, Object.fromEntries(expected))
    assert.equal(answer?.listed, documents.length)
  })

  async function readNames(numbers: Names['numbers']): Promise<Row> {
    const row = { read: 0, wrong: [] as string[], errors: [] as string[] }
    for (const [path, number] of Object.entries(numbers)) {
      try {
        const { values } = await readZarrita(storeOf('names.h5'), path, false)
        if (values.kind === 'fixed' && Buffer.compare(values.bytes, valuesOf(number)) === 0) row.read++
        else row.wrong.push(path)
      } catch (error) {
        row.errors.push(`${path}: ${String(error)}`)
      }
    }
    return row
  }

  test('TREE-1, HTTP-6: a group’s URL is a store, and obstore lists what there is', async () => {
    const report = (await python('groups', storeOf('tree.nc'), join(folder, 'tree.nc'))) as {
      read: number
      failures: string[]
      listed: { objects: string[]; lengths: boolean; folders: string[]; files: string[]; members: string[] }
    }
    assert.deepEqual(report.failures, [])
    assert.equal(report.read, 5 * 2 * 3 * 3)
    const { listed } = report
    const groups = ['one', 'one/é b', 'one/é b/deep', 'two']
    // Coordinates are those of the root: xarray writes what is inherited but once.
    const members = [...groups, ...groups.map((group) => `${group}/t`), 't', 'x', 'y'].sort()
    assert.deepEqual(listed.members.toSorted(), members)
    assert.deepEqual(listed.objects.toSorted(), ['zarr.json', ...members.map((path) => `${path}/zarr.json`)].sort())
    assert.ok(listed.lengths, 'each object is as long as the listing says')
    assert.deepEqual(listed.folders.toSorted(), ['one/t', 'one/é b'])
    assert.deepEqual(listed.files, ['one/zarr.json'])
  })

  test('BYTES-2: a source that is gone is an error, and fsspec’s users see which', async () => {
    const report = (await python('gone', storeOf('gone.nc'), join(folder, 'gone.nc'))) as Record<
      string,
      { error?: string }
    >
    assert.equal(Object.keys(report).length, 3)
    for (const [client, { error }] of Object.entries(report)) {
      assert.match(error ?? 'values', /424/, client)
    }
    assert.match(report['fsspec']?.error ?? '', /The source is gone: /)
  })
})
