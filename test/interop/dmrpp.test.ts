import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FormatFiles, servedFormat } from './format-files.ts'
import { pythonJob } from './python.ts'
import { storeUrl } from './server-process.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
/** The data file beside it is another version; and data that is not filled though it has a fill value (test/formats/dmrpp). */
const EXCEPT = ['FletcherShuffle.nc4.dmrpp', 'FValue_chunk.h5.dmrpp']
const NOT_FILLED = '/chunks_fill_not_write'

interface Case {
  readonly id: string
  /** The data file, where xarray's reader shows the same as the sidecar describes; null where it can't. */
  readonly source: string | null
  readonly url: string
  /** Hashes of values by path, of the golden file; null: of the data file. */
  readonly hashes: Readonly<Record<string, string>> | null
}

interface Report {
  readonly rows: readonly {
    readonly client: string
    readonly case: string
    readonly read: number
    readonly failures: readonly string[]
  }[]
}

describe('DMR++ sidecars, through the running service, as readers of their data files read them', () => {
  const files = servedFormat('dmrpp')

  test('TEST-1, TEST-2: xarray, zarr-python, tensorstore and zarrs', async () => {
    const example = {
      id: 'examples/currents',
      source: fileURLToPath(new URL('currents.nc', EXAMPLES)),
      url: `${files.server}zarr/currents/`,
      hashes: null,
    }
    const cases = [example, ...fixtureCases(files), ...corpusCases(files)]
    const { rows } = await pythonJob<Report>('dmrpp_check.py', { cases })
    const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
    assert.deepEqual(failures, [])
    const read = rows.reduce((sum, row) => sum + row.read, 0)
    assert.ok(read >= cases.length * 4, `${read} arrays of ${cases.length} sidecars were read`)
    console.log(`${cases.length} sidecars, ${read} arrays equal`)
  })
})

type Golden = Record<string, { readonly sha256?: string | null }>

function fixtureCases({ server, own, ownUrl }: FormatFiles): Case[] {
  const golden = JSON.parse(readFileSync(new URL('golden.json', own), 'utf8')) as Record<string, Golden>
  return Object.entries(golden).map(([name, arrays]) => ({
    id: `fixtures/${name}`,
    source: name.startsWith('tree') ? fileURLToPath(new URL('tree.h5', own)) : null,
    url: storeUrl(server, ownUrl + name),
    hashes: hashesOf(arrays),
  }))
}

function corpusCases({ server, shared, sharedUrl }: FormatFiles): Case[] {
  if (sharedUrl === undefined) return []
  const golden = JSON.parse(readFileSync(new URL('golden.json', shared), 'utf8')) as {
    files: Record<string, { expect: string; data: string | null; arrays: Golden }>
  }
  return Object.entries(golden.files)
    .filter(([name, file]) => file.expect === 'ok' && file.data !== null && !EXCEPT.includes(name))
    .map(([name, file]) => ({
      id: `dmrpp/${name}`,
      source: null,
      url: storeUrl(server, sharedUrl + name),
      hashes: hashesOf(file.arrays),
    }))
}

function hashesOf(arrays: Golden): Record<string, string> {
  const hashes: Record<string, string> = {}
  for (const [path, { sha256 }] of Object.entries(arrays)) {
    if (typeof sha256 === 'string' && path !== NOT_FILLED) hashes[path.replace(/^\//, '')] = sha256
  }
  return hashes
}
