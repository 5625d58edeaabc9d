import { isJsonObject, type Json } from '../json/json.ts'

/** A join document whose sources count from nowhere: where they counted from a folder, its URL stands before them. */
export function withAbsoluteSources(document: Json, folder: URL): Json {
  if (!isJsonObject(document)) return document
  const { sources, merge } = document
  return {
    ...document,
    ...(sources === undefined ? {} : { sources: absolute(sources, folder) }),
    ...(Array.isArray(merge)
      ? { merge: (merge as readonly Json[]).map((join) => withAbsoluteSources(join, folder)) }
      : {}),
  }
}

/** The members of a form of sources that are URLs. */
const URLS = ['template', 'glob', 'stac', 'list']

function absolute(sources: Json, folder: URL): Json {
  if (typeof sources === 'string') return absoluteUrl(sources, folder)
  if (Array.isArray(sources)) return (sources as readonly Json[]).map((item) => absolute(item, folder))
  if (!isJsonObject(sources)) return sources
  const members = Object.entries(sources).map(([name, value]) => [
    name,
    URLS.includes(name) ? absolute(value, folder) : value,
  ])
  return Object.fromEntries(members)
}

/** Not by `URL`, which would escape the braces of a template. */
function absoluteUrl(text: string, folder: URL): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return text
  return text.startsWith('/') ? new URL('/', folder).href.slice(0, -1) + text : new URL('.', folder).href + text
}
