import { openAsBlob, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { withVersion } from './package-version.ts'
import type { IndependentReader } from './reader.ts'
import { zarrFile } from './zarr.ts'

/** Kerchunk's JSON by zarrita's reference store, which finds each chunk by itself. */
export async function kerchunkReader(): Promise<IndependentReader> {
  const zarrita = await import('zarrita')
  const { ReferenceStore } = await import('@zarrita/storage')
  return {
    name: withVersion('@zarrita/storage'),
    async open(place) {
      const isUrl = /^https?:/.test(place)
      if (place.endsWith('/')) throw new Error('zarrita reads references in JSON, and no Parquet sets')
      const base = isUrl ? place : pathToFileURL(place).href
      const text = isUrl ? await (await fetch(place)).text() : readFileSync(place, 'utf8')
      const document = withAbsoluteUrls(JSON.parse(text) as References, base)
      return zarrFile(ReferenceStore.fromSpec(document, { fetch: fetchOrRead }), zarrita)
    },
  }
}

type Reference = string | readonly [string | null, ...number[]]

interface References {
  readonly version?: number
  readonly templates?: Readonly<Record<string, string>>
  readonly refs?: Readonly<Record<string, Reference>>
}

/** The store knows no document that URLs could be relative to. Those made by templates are as their templates are. */
function withAbsoluteUrls(document: References, base: string): Record<string, unknown> {
  const absolute = (url: string) => (URL.canParse(url) || url.includes('{{') ? url : new URL(url, base).href)
  const mapped = (refs: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(refs).map(([key, reference]) => [
        key,
        Array.isArray(reference) && typeof reference[0] === 'string'
          ? [absolute(reference[0]), ...reference.slice(1)]
          : reference,
      ]),
    )
  const { refs, templates, ...rest } = document
  if (refs === undefined) return mapped(document as Record<string, unknown>)
  const roots = Object.entries(templates ?? {}).map(([name, url]) => [name, absolute(url)])
  return { ...rest, refs: mapped(refs), ...(roots.length === 0 ? {} : { templates: Object.fromEntries(roots) }) }
}

/** Node's `fetch` knows no files. */
async function fetchOrRead(request: Request): Promise<Response> {
  if (!request.url.startsWith('file:')) return await fetch(request)
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '')
  const file = await openAsBlob(fileURLToPath(request.url))
  const part = range === null ? file : file.slice(Number(range[1]), Number(range[2]) + 1)
  return new Response(await part.arrayBuffer(), { status: range === null ? 200 : 206 })
}
