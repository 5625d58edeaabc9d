import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse as parseYaml } from 'yaml'
import { storeUrl } from './server-process.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const CORPUS = new URL('../../../shared/corpus/', import.meta.url)
const FORMATS = ['netcdf3', 'zarr'] as const

/** One source that every client reads; a line of the job that the Python clients are given. */
export interface InteropCase {
  readonly id: string
  readonly format: string
  /** Path of the file or folder, for the oracle. */
  readonly source: string
  /** Of the store. */
  readonly url: string
  /** Arrays of the golden file by path; null for sources that have none. */
  readonly golden: unknown
}

/** The bundled examples by their catalog ids, as a first-time user opens them. */
export function exampleCases(serviceUrl: string): InteropCase[] {
  const catalog = parseYaml(readFileSync(new URL('catalog.yaml', EXAMPLES), 'utf8')) as {
    datasets: { id: string; url: string }[]
  }
  // The other formats have tests of their own, such as tiff.test.ts.
  return catalog.datasets
    .filter(({ url }) => !/\.(?:tif|dmrpp|fits|hdf|grib2|json|icechunk\/)$|^atmosphere\.nc$/.test(url))
    .map(({ id, url }) => ({
      id: `examples/${id}`,
      format: url.endsWith('.nc') ? 'netcdf3' : 'zarr',
      source: fileURLToPath(new URL(url, EXAMPLES)).replace(/\/$/, ''),
      url: `${serviceUrl}zarr/${id}/`,
      golden: null,
    }))
}

/** The months of an example as one: some packed alike, whose chunks pass, and all, most of which are made. */
export function joinCases(serviceUrl: string): InteropCase[] {
  const source = fileURLToPath(new URL('rain', EXAMPLES))
  const alike = new URL('rain/rain_2023', EXAMPLES).href
  return [
    {
      id: 'joins/of months packed alike',
      last: 4,
      url: `~${Buffer.from(`${alike}{01..04}.nc`).toString('base64url')}`,
    },
    { id: 'joins/of all months', last: 12, url: 'rain' },
  ].map(({ id, last, url }) => ({
    id,
    format: 'join',
    source: `${source}/rain_2023{01..${String(last).padStart(2, '0')}}.nc`,
    url: `${serviceUrl}zarr/${url}/`,
    golden: null,
  }))
}

/** Every golden file that is served, by the `~` form of its URL at the origin. */
export function corpusCases(serviceUrl: string, originUrl: string): InteropCase[] {
  if (!existsSync(CORPUS)) return []
  return FORMATS.flatMap((format) => {
    const golden = JSON.parse(readFileSync(new URL(`${format}/golden.json`, CORPUS), 'utf8')) as Golden
    const files = Object.entries(golden.files).filter(([, file]) => file.expect === 'ok')
    return files.map(([name, file]) => ({
      id: `${format}/${name}`,
      format,
      source: fileURLToPath(new URL(`${format}/${name}`, CORPUS)),
      url: storeUrl(serviceUrl, `${originUrl}${format}/${name}${isFolder(format, name) ? '/' : ''}`),
      golden: file.arrays,
    }))
  })
}

function isFolder(format: string, name: string): boolean {
  return statSync(new URL(`${format}/${name}`, CORPUS)).isDirectory()
}

interface Golden {
  readonly files: Readonly<Record<string, { readonly expect: string; readonly arrays: unknown }>>
}

export { CORPUS as CORPUS_FOLDER }
