import { malformed, unsupported } from '../../errors.ts'
import type { VrtFile } from './document.ts'

/** Where object stores' and hosts' files lie in GDAL's file systems. */
const PREFIXES: readonly (readonly [string, (rest: string, base: URL) => string])[] = [
  ['/vsicurl/', (rest) => rest],
  ['/vsicurl?', (rest) => curlUrl(rest)],
  ['/vsis3/', (rest) => `s3://${rest}`],
  ['/vsigs/', (rest) => `gs://${rest}`],
  ['/vsiaz/', azureUrl],
]

/** The URL of a file that a document at `base` names. What no URL says is refused by its name. */
export function fileUrl({ name, isRelative }: VrtFile, base: URL): string {
  const streaming = name.replace(/^\/(vsi(?:curl|s3|gs|az))_streaming\//, '/$1/')
  const [prefix, toUrl] = PREFIXES.find(([start]) => streaming.startsWith(start)) ?? []
  if (prefix !== undefined && toUrl !== undefined) return toUrl(streaming.slice(prefix.length), base)
  if (/^(?:https?|s3|gs|az|abfss?|file):\/\//i.test(name)) return name
  if (name === '') throw malformed('a source names no file')
  const kind = /^(\/vsi[a-z0-9_]+)\/|^([A-Za-z][A-Za-z0-9_]*):|^(<)/.exec(name)
  if (kind !== null) {
    const [, system, driver] = kind
    const what = system ?? (driver === undefined ? 'a document within the name' : `${driver}:`)
    throw unsupported(`VRT SourceFilename ${what}`, `a source is named by ${what}, which is no file that has a URL`)
  }
  // Paths of another machine lead nowhere here.
  const isAbsolute = name.startsWith('/')
  if (isAbsolute && !isRelative && base.protocol !== 'file:')
    throw malformed(`a source is named by a path of a file system: ${name.slice(0, 100)}`)
  return new URL(isCloud(base) ? name : escaped(name), base).href
}

/** In paths nothing is escaped, and a question mark is of the name. */
function escaped(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function isCloud({ protocol }: URL): boolean {
  return !/^(?:https?|file):$/.test(protocol)
}

function curlUrl(options: string): string {
  const url = new URLSearchParams(options).get('url')
  if (url === null) throw malformed('/vsicurl? names no url')
  return url
}

/** The account is not in the name: it is that of the document. */
function azureUrl(rest: string, base: URL): string {
  const account = base.protocol === 'az:' ? base.host : undefined
  if (account !== undefined && account !== '') return `az://${account}/${rest}`
  throw unsupported('VRT SourceFilename /vsiaz/', 'a source is named by /vsiaz/, which does not say its account')
}
