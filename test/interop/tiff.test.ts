import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { CORPUS_FOLDER } from './cases.ts'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const SHARED = new URL('tiff/', CORPUS_FOLDER)
/** Examples that are TIFF, by catalog id. */
const EXAMPLE_FILES = { harvest: 'harvest.tif' }

/** Files of the corpus in which rasterio sees a mask that is a directory, but for a broken one. */
const MASKED =
  /(?:ycbcr_with_mask|with_mask_1bit|with_mask_1bit_and_ovr|rgb-mask|internal-mask|internal-mask-ovr|rio-goes)\.tif$/

interface GoldenFile {
  readonly expect: string
  readonly arrays?: Record<string, { readonly sha256?: string }>
}

/** JPEG as rasterio 1.5 reads it (test/formats/tiff/make-jpeg-golden.py). */
const JPEG: Readonly<Record<string, Readonly<Record<string, { readonly sha256: string }>>>> = JSON.parse(
  readFileSync(new URL('../formats/tiff/jpeg-golden.json', import.meta.url), 'utf8'),
)

interface Case {
  readonly id: string
  readonly source: string
  readonly url: string
  readonly flat: string
  readonly golden: unknown
}

interface Row {
  readonly client: string
  readonly case: string
  readonly read: number
  readonly failures: readonly string[]
}

describe('TIFF files, through the running service, as rasterio reads them', () => {
  let server: ServerProcess
  let origin: StaticOrigin | undefined
  let folder: string

  before(async () => {
    if (existsSync(SHARED)) origin = await startStaticOrigin(CORPUS_FOLDER)
    else console.log('skipped: the shared corpus (../shared/corpus) is not on this machine; only the examples are read')
    folder = mkdtempSync(join(tmpdir(), 'interop-tiff-'))
    server = await startServer({
      VZ_FILE_ROOT: folder,
      ...(origin === undefined ? {} : { VZ_ALLOW_SOURCES: origin.url }),
    })
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('TEST-1, TEST-2, FV-TIFF-15: rioxarray, zarr-python and tensorstore', async () => {
    const cases = [...exampleCases(server.url), ...(origin === undefined ? [] : corpusCases(server.url, origin.url))]
    const { rows } = await python<{ rows: readonly Row[] }>('tiff_check.py', { cases })
    const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
    assert.deepEqual(failures, [])
    const read = rows.reduce((sum, row) => sum + row.read, 0)
    assert.ok(read >= cases.length, `${read} arrays of ${cases.length} files were read`)
    console.log(`${cases.length} TIFF files, ${read} arrays equal`)
  })

  test('TEST-1, TEST-2: missing=mask, as rasterio reads masked files, overviews among them', async () => {
    await python('tiff_masks_check.py', { folder })
    const cases = readdirSync(folder)
      .filter((name) => name.endsWith('.tif'))
      .map(maskedCase)
    assert.equal(cases.length, 36)
    if (origin !== undefined) cases.push(...corpusCases(server.url, origin.url).filter(({ id }) => MASKED.test(id)))
    assert.deepEqual(await python('tiff_masks_check.py', { cases }), [])
  })

  function maskedCase(name: string): Pick<Case, 'id' | 'source' | 'url'> {
    const source = join(folder, name)
    return { id: name, source, url: storeUrl(server.url, pathToFileURL(source).href) }
  }

  function python<Said>(script: string, job: object): Promise<Said> {
    return pythonJob(script, job)
  }
})

function exampleCases(serviceUrl: string): Case[] {
  return Object.entries(EXAMPLE_FILES).map(([id, file]) => ({
    id: `examples/${id}`,
    source: fileURLToPath(new URL(file, EXAMPLES)),
    url: `${serviceUrl}zarr/${id}/`,
    flat: `${serviceUrl}zarr/${id};layout=ifd/`,
    golden: null,
  }))
}

function corpusCases(serviceUrl: string, originUrl: string): Case[] {
  const golden = JSON.parse(readFileSync(new URL('golden.json', SHARED), 'utf8')) as {
    files: Record<string, GoldenFile>
  }
  for (const [name, directories] of Object.entries(JPEG)) {
    const { arrays = {} } = golden.files[name] ?? {}
    for (const [index, { sha256 }] of Object.entries(directories)) arrays[index] = { ...arrays[index], sha256 }
  }
  const files = Object.entries(golden.files).filter(([, file]) => file.expect === 'ok')
  return files.map(([name, file]) => {
    const address = `${originUrl}tiff/${name}`
    return {
      id: `tiff/${name}`,
      source: fileURLToPath(new URL(name, SHARED)),
      url: storeUrl(serviceUrl, address),
      flat: storeUrl(serviceUrl, address, ';layout=ifd'),
      golden: file,
    }
  })
}
