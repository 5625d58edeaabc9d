import { pathToFileURL } from 'node:url'
import { isVirtualZarrError } from '../errors.ts'
import { withAbsoluteSources } from '../joins/absolute-sources.ts'
import { joinDocumentOf } from '../joins/read-document.ts'
import { patternUrl } from '../joins/sources/braces.ts'
import { isJsonObject, type Json } from '../json/json.ts'
import { parseJson } from '../json/parse.ts'
import { writeJson } from '../json/write.ts'
import type { Catalog, Dataset } from '../service/catalog.ts'
import { heldUrl } from '../service/join/held-documents.ts'
import { parseStoreOptions } from '../service/store-options.ts'
import { parseSourceUrl } from '../source/source-url.ts'
import { ConfigError } from './config-error.ts'

/** Reads the `datasets:` list of a configuration; relative URLs count from the file that holds it. */
export function readCatalog(datasets: unknown, path: string): Catalog {
  if (datasets === undefined || datasets === null) return new Map()
  if (!Array.isArray(datasets)) throw new ConfigError('datasets', 'expected a list')
  const catalog = new Map<string, Dataset>()
  for (const [position, entry] of datasets.entries()) {
    const dataset = readDataset(entry, `datasets[${position}]`, path)
    if (catalog.has(dataset.id)) throw new ConfigError(`datasets[${position}].id`, `${dataset.id} is listed twice`)
    catalog.set(dataset.id, dataset)
  }
  return catalog
}

const MEMBERS = ['id', 'title', 'description', 'url', 'join', 'options']

function readDataset(entry: unknown, place: string, path: string): Dataset {
  if (typeof entry !== 'object' || entry === null) throw new ConfigError(place, 'expected a mapping with id and url')
  const members = new Map<string, unknown>(Object.entries(entry))
  for (const name of members.keys()) {
    if (!MEMBERS.includes(name))
      throw new ConfigError(`${place}.${name}`, `there is no such member; known are ${MEMBERS.join(', ')}`)
  }
  const id = text(members, 'id', place)
  if (id === undefined || !/^[a-z0-9][a-z0-9._-]*$/.test(id)) {
    throw new ConfigError(
      `${place}.id`,
      'expected lower-case letters, digits, ".", "_" and "-", beginning with a letter or digit',
    )
  }
  const base = pathToFileURL(path).href
  return {
    id,
    title: text(members, 'title', place) ?? id,
    description: text(members, 'description', place) ?? '',
    ...sourceOf(members, new URL(base), place),
    options: readOptions(members.get('options'), `${place}.options`),
  }
}

/** A source by its URL, or a join by its document. */
function sourceOf(members: ReadonlyMap<string, unknown>, base: URL, place: string) {
  const [url, join] = [text(members, 'url', place), members.get('join')]
  if ((url === undefined) === (join === undefined)) {
    throw new ConfigError(`${place}.url`, 'expected the URL of the source, or a join: with its document')
  }
  if (url !== undefined) return { sourceUrl: sourceUrl(url, base, `${place}.url`) }
  try {
    const document = { virtual_zarr: 'join/1', ...(jsonOf(join, place) as object) }
    const absolute = withAbsoluteSources(document, base)
    joinDocumentOf(absolute)
    const bytes = Buffer.from(writeJson(absolute))
    return { sourceUrl: heldUrl(bytes), document: bytes }
  } catch (error) {
    throw isVirtualZarrError(error) ? new ConfigError(`${place}.join`, error.message) : error
  }
}

/** What a configuration holds, as JSON: YAML has nothing else there. */
function jsonOf(value: unknown, place: string): Json {
  const text = JSON.stringify(value)
  const json = text === undefined ? undefined : parseJson(text)
  if (!isJsonObject(json)) throw new ConfigError(`${place}.join`, 'expected a mapping, a join document')
  return json
}

function sourceUrl(url: string, base: URL, place: string): string {
  try {
    return patternUrl(url, base) ?? parseSourceUrl(url, base).href
  } catch (error) {
    if (isVirtualZarrError(error)) throw new ConfigError(place, error.message)
    throw error
  }
}

function text(members: ReadonlyMap<string, unknown>, name: string, place: string): string | undefined {
  const value = members.get(name)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new ConfigError(`${place}.${name}`, 'expected text')
  return value
}

function readOptions(options: unknown, place: string): ReadonlyMap<string, string> {
  if (options === undefined || options === null) return new Map()
  if (typeof options !== 'object') throw new ConfigError(place, 'expected a mapping of option names to values')
  const texts = new Map(Object.entries(options).map(([name, value]) => [name, String(value)]))
  try {
    parseStoreOptions(texts)
  } catch (cause) {
    throw new ConfigError(place, cause instanceof Error ? cause.message : String(cause))
  }
  return texts
}
