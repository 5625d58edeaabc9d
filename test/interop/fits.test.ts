import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FormatFiles, servedFormat } from './format-files.ts'
import { pythonJob } from './python.ts'
import { storeUrl } from './server-process.ts'

const EXAMPLE = new URL('../../examples/nebula.fits', import.meta.url)

interface Case {
  readonly id: string
  readonly source: string
  readonly url: string
}

interface Row {
  readonly client: string
  readonly case: string
  readonly read: number
  readonly failures: readonly string[]
}

describe('FITS files, through the running service, as astropy reads them', () => {
  const files = servedFormat('fits')

  test('TEST-1, TEST-2: zarr-python, tensorstore and xarray', async () => {
    const example = { id: 'examples/nebula', source: fileURLToPath(EXAMPLE), url: `${files.server}zarr/nebula/` }
    const world = caseOf('fixtures/world', new URL('world.fits', files.own), files.server, `${files.ownUrl}world.fits`)
    const cases = [example, world, ...corpusCases(files)]
    const { rows } = await pythonJob<{ rows: readonly Row[] }>('fits_check.py', { cases })
    const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
    assert.deepEqual(failures, [])
    const read = rows.reduce((sum, row) => sum + row.read, 0)
    assert.ok(read >= 2 * cases.length, `${read} arrays of ${cases.length} files were read`)
    console.log(`${cases.length} FITS files, ${read} arrays equal`)
  })
})

function corpusCases({ server, shared, sharedUrl }: FormatFiles): Case[] {
  if (sharedUrl === undefined) return []
  const golden = JSON.parse(readFileSync(new URL('golden.json', shared), 'utf8')) as {
    files: Readonly<Record<string, { readonly expect: string }>>
  }
  const files = Object.entries(golden.files).filter(([, { expect }]) => expect !== 'error')
  return files.map(([name]) => caseOf(`fits/${name}`, new URL(name, shared), server, sharedUrl + name))
}

function caseOf(id: string, file: URL, serviceUrl: string, url: string): Case {
  return { id, source: fileURLToPath(file), url: storeUrl(serviceUrl, url) }
}
