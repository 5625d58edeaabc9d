import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { CORPUS_FOLDER } from './cases.ts'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'
import { unpack } from './unpack.ts'

const SHARED = new URL('kerchunk/', CORPUS_FOLDER)
/** Sources to export, by path below the origin. */
const EXAMPLES = [
  'sea-surface.nc',
  'buoy.nc',
  'relief.nc',
  'currents.nc',
  'chlorophyll.zarr/',
  'forest.zarr/',
  'rivers.zarr.zip',
  'storms.json',
]
/** Sources of the corpus for a round trip. */
const EXPORTED_FORMATS = ['netcdf3', 'hdf5', 'zarr', 'kerchunk', 'tiff', 'fits']
const MOST_PER_FORMAT = 25

interface Row {
  readonly client: string
  readonly case: string
  readonly read: number
  readonly failures: readonly string[]
}

describe('references, through the running service and out of it', () => {
  let server: ServerProcess
  let examples: StaticOrigin
  let corpus: StaticOrigin | undefined
  /** What is written into the folder, as a source. */
  let documents: StaticOrigin
  let folder: string

  before(async () => {
    examples = await startStaticOrigin(new URL('../../examples/', import.meta.url))
    if (existsSync(CORPUS_FOLDER)) corpus = await startStaticOrigin(CORPUS_FOLDER)
    else console.log('skipped: the shared corpus (../shared/corpus) is not on this machine; only the examples are read')
    folder = mkdtempSync(join(tmpdir(), 'interop-kerchunk-'))
    documents = await startStaticOrigin(pathToFileURL(`${folder}/`))
    server = await startServer({
      VZ_ALLOW_SOURCES: [examples, documents, ...(corpus === undefined ? [] : [corpus])]
        .map(({ url }) => url)
        .join(','),
    })
  })
  after(async () => {
    await server?.stop()
    await examples?.close()
    await corpus?.close()
    await documents?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('TEST-2: zarr-python, tensorstore and zarrs read the corpus as fsspec and zarr-python read its references', async (t) => {
    if (corpus === undefined) return t.skip('the shared corpus is not on this machine')
    const rows = await python('dmrpp_check.py', corpusCases(server.url, `${corpus.url}kerchunk/`))
    report(rows)
  })

  test('exported documents and Parquet sets read with fsspec and zarr-python as the store they are of', async () => {
    const urls = EXAMPLES.map((name) => examples.url + name)
    if (corpus !== undefined) urls.push(...sourcesOf(corpus.url))
    const cases = []
    for (const [index, url] of urls.entries()) {
      const item = await exported(url, join(folder, String(index)))
      if (item !== undefined) cases.push(item)
    }
    assert.ok(cases.length >= EXAMPLES.length - 2)
    report(await python('export_check.py', cases))
  })

  test('references to TIFF, as tifffile writes them, read in portable and native as fsspec and imagecodecs read them', async (t) => {
    if (corpus === undefined) return t.skip('the shared corpus is not on this machine')
    const root = new URL('tiff/', CORPUS_FOLDER)
    const { files } = JSON.parse(readFileSync(new URL('golden.json', root), 'utf8')) as {
      files: Record<string, GoldenFile>
    }
    const names = Object.entries(files).filter(([, file]) => file.expect === 'ok')
    const cases = names.map(([name]) => ({
      id: name,
      source: fileURLToPath(new URL(name, root)),
      folder: new URL('.', `${corpus?.url}tiff/${name}`).href,
    }))
    const job = { folder, documents: documents.url, service: server.url }
    const rows = await python('tifffile_check.py', cases, job)
    report(rows)
    assert.ok(rows.length > 400, `${rows.length} rows`)
  })

  /** The export of a source, written to files; undefined where nothing of it can be exported. */
  async function exported(url: string, target: string) {
    const query = `${server.url}export?url=${encodeURIComponent(url)}`
    const document = await fetch(query)
    const text = await document.text()
    // 502: references of the corpus that lead nowhere.
    if (document.status === 501 || document.status === 502) return undefined
    assert.equal(document.status, 200, `${url}: ${text.slice(0, 500)}`)
    writeFileSync(`${target}.json`, text)
    const archive = await fetch(`${query}&to=kerchunk-parquet`)
    const bytes = Buffer.from(await archive.arrayBuffer())
    if (archive.status === 200) unpack(bytes, target)
    else assert.equal(archive.status, 501, `${url}: ${bytes.subarray(0, 500)}`)
    const native = storeUrl(server.url, url, ';codecs=native')
    return { id: url, url: native, refs: `${target}.json`, set: archive.status === 200 ? target : null }
  }

  async function python(script: string, cases: readonly unknown[], more: object = {}): Promise<readonly Row[]> {
    return (await pythonJob<{ rows: readonly Row[] }>(script, { cases, ...more })).rows
  }
})

function report(rows: readonly Row[]): void {
  const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
  assert.deepEqual(failures, [])
  const read = rows.reduce((sum, row) => sum + row.read, 0)
  assert.ok(read >= rows.length, `${read} arrays in ${rows.length} rows`)
  console.log(`${rows.length} rows, ${read} arrays equal`)
}

interface GoldenFile {
  readonly expect: string
  readonly ref: string
  readonly arrays: Readonly<
    Record<string, { readonly sha256?: string; readonly dtype: unknown; readonly n_refs?: number }>
  >
}

function corpusCases(serviceUrl: string, originUrl: string): object[] {
  const { files } = JSON.parse(readFileSync(new URL('golden.json', SHARED), 'utf8')) as {
    files: Record<string, GoldenFile>
  }
  return Object.entries(files)
    .filter(([, file]) => file.expect === 'ok')
    .map(([name, { ref, arrays }]) => ({
      id: `kerchunk/${name}`,
      source: null,
      url: storeUrl(serviceUrl, `${originUrl}${name}/${ref === '.' ? '' : ref}`),
      // Text is spelled otherwise in `portable`: test/formats/kerchunk compares it.
      hashes: Object.fromEntries(
        Object.entries(arrays).flatMap(([path, { sha256, dtype }]) =>
          sha256 !== undefined && typeof dtype === 'string' ? [[path, sha256]] : [],
        ),
      ),
    }))
}

/** Some sources of each format, by URL. */
function sourcesOf(originUrl: string): string[] {
  return EXPORTED_FORMATS.flatMap((format) => {
    const root = new URL(`${format}/`, CORPUS_FOLDER)
    const { files } = JSON.parse(readFileSync(new URL('golden.json', root), 'utf8')) as {
      files: Record<string, GoldenFile>
    }
    // Three sets of the corpus refer to files that are not there.
    const names = Object.entries(files).filter(
      ([name, file]) => file.expect === 'ok' && !/^parquet_ref_(?:0_dim_path|2|min)/.test(name),
    )
    const step = Math.ceil(names.length / MOST_PER_FORMAT)
    return names
      .filter((_, index) => index % step === 0)
      .map(([name, { ref }]) => {
        const path = statSync(new URL(name, root)).isDirectory()
          ? `${name}/${ref === undefined || ref === '.' ? '' : ref}`
          : name
        return `${originUrl}${format}/${path}`
      })
  })
}
