import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { readZarrita, zarritaLimit } from '../corpus/read-zarrita.ts'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { consolidatedDocuments, getDocument } from '../corpus/store-client.ts'
import { hashOf } from '../corpus/values.ts'
import { CORPUS_FOLDER, corpusCases, exampleCases, type InteropCase, joinCases } from './cases.ts'
import { pythonJob } from './python.ts'
import { rustReader } from './rust-reader.ts'
import { type ServerProcess, startServer } from './server-process.ts'

interface Row {
  readonly client: string
  readonly case: string
  /** Arrays read equal, and arrays refused as a known limit of the client. */
  readonly read: number
  readonly refused: number
  readonly failures: readonly string[]
  /** Groups compared with xarray's own reader of the source, and those that are identical without any allowance. */
  readonly compared?: number
  readonly identical?: number
}

interface Report {
  readonly rows: readonly Row[]
  readonly hashes: Readonly<Record<string, Readonly<Record<string, string>>>>
}

describe('every client reads every source through the running service as an independent reader does', () => {
  let server: ServerProcess
  let origin: StaticOrigin | undefined
  let cases: readonly InteropCase[]
  let report: Report

  before(async () => {
    if (existsSync(CORPUS_FOLDER)) origin = await startStaticOrigin(CORPUS_FOLDER)
    else console.log('skipped: the shared corpus (../shared/corpus) is not on this machine; only the examples are read')
    server = await startServer(origin === undefined ? {} : { VZ_ALLOW_SOURCES: origin.url })
    cases = [
      ...exampleCases(server.url),
      ...joinCases(server.url),
      ...(origin === undefined ? [] : corpusCases(server.url, origin.url)),
    ]
    report = await pythonJob<Report>('read_all.py', { cases })
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
  })

  test('TEST-1, TEST-2: xarray, zarr-python, tensorstore, zarrs and zarrita', async () => {
    const rows = [...report.rows]
    for (const item of cases) rows.push(await readWithZarrita(item, report.hashes[item.id] ?? {}))
    printTable(rows)
    const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
    assert.deepEqual(failures, [])
    assert.ok(
      rows.every((row) => row.read + row.refused > 0 || isEmpty(report, row.case)),
      'every client read something of every source',
    )
  })

  test('TEST-1, HTTP-6: zarrs in Rust over object_store, which lists by PROPFIND', async (t) => {
    const reader = rustReader()
    if ('skip' in reader) return t.skip(reader.skip)
    const hashes = (id: string) => report.hashes[id] ?? {}
    const answers = await reader.read(cases.map(({ id, url }) => ({ id, url, paths: Object.keys(hashes(id)) })))
    const documents = await Promise.all(cases.map(({ url }) => getDocument(url, '')))
    const rows = answers.map(({ id, arrays, listed }, at) => {
      const failures = Object.entries(hashes(id)).flatMap(([path, expected]) => {
        const { sha256, error } = arrays[path] ?? { error: 'was not read' }
        return sha256 === expected ? [] : [`${path}: ${error ?? 'values differ'}`]
      })
      const there = consolidatedDocuments(documents[at] ?? {}).size
      if (listed !== there) failures.push(`lists ${listed} documents of ${there}`)
      return {
        client: 'zarrs (Rust)',
        case: id,
        read: Object.keys(arrays).length - failures.length,
        refused: 0,
        failures,
      }
    })
    printTable(rows)
    assert.equal(rows.length, cases.length)
    assert.deepEqual(
      rows.flatMap((row) => row.failures.map((failure) => `${row.case}: ${failure}`)),
      [],
    )
  })
})

function isEmpty(report: Report, id: string): boolean {
  return Object.keys(report.hashes[id] ?? {}).length === 0
}

async function readWithZarrita(item: InteropCase, hashes: Readonly<Record<string, string>>): Promise<Row> {
  const failures: string[] = []
  let read = 0
  let refused = 0
  const documents = consolidatedDocuments(await getDocument(item.url, ''))
  const isGroup = documents.get('')?.['node_type'] === 'group'
  for (const [path, expected] of Object.entries(hashes)) {
    const limit = zarritaLimit(documents.get(path) ?? {})
    try {
      const array = await readZarrita(item.url, path, isGroup)
      if (limit !== undefined) failures.push(`${path}: was expected to be refused (${limit})`)
      else if (hashOf(array.values) !== expected) failures.push(`${path}: values differ`)
      else read++
    } catch (error) {
      if (limit === undefined) failures.push(`${path}: ${String(error)}`)
      else refused++
    }
  }
  return { client: 'zarrita', case: item.id, read, refused, failures }
}

/** Clients by files, as counts; the failures themselves are in the assertion. */
function printTable(rows: readonly Row[]): void {
  const clients = [...new Set(rows.map((row) => row.client))]
  const lines = clients.map((client) => {
    const own = rows.filter((row) => row.client === client)
    const sum = (count: (row: Row) => number) => own.reduce((total, row) => total + count(row), 0)
    return {
      client,
      sources: own.length,
      'arrays equal': sum((row) => row.read),
      'refused (known limit)': sum((row) => row.refused),
      failures: sum((row) => row.failures.length),
      "groups as xarray's own reader": sum((row) => row.compared ?? 0),
      'of them identical': sum((row) => row.identical ?? 0),
    }
  })
  console.table(lines)
}
