import { malformed, overLimit, unsupported } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { StacItem, StacPage } from './document.ts'
import { readItem } from './read-item.ts'

/** Whether a file that begins so is a document of STAC: an Item, a page of them, or a Collection. */
export function isStac(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  return /^(?:ï»¿)?\s*\{/.test(text) && /"stac_version"\s*:\s*"\d/.test(text)
}

const MOST_ITEMS = 20_000

/** Reads a document that lies at `base`. */
export function readStac(json: Json, base: string): StacPage {
  if (!isJsonObject(json)) throw malformed('a document of STAC is an object')
  const links = linksOf(json)
  const next = nextOf(links, base)
  switch (json['type']) {
    case 'Feature':
      return { kind: 'item', items: [readItem(json, base, undefined)], next: undefined, itemLinks: [] }
    case 'FeatureCollection':
      return { kind: 'items', items: itemsOf(json['features'], base), next, itemLinks: [] }
    case 'Collection': {
      const page = links.find(({ rel }) => rel === 'items')?.href
      const itemLinks = links.filter(({ rel }) => rel === 'item').map(({ href }) => absolute(href, base))
      return { kind: 'collection', items: [], next: page === undefined ? undefined : absolute(page, base), itemLinks }
    }
    default:
      throw unsupported(
        'STAC type',
        `the type of the document is ${JSON.stringify(json['type'])?.slice(0, 60)}; an Item (Feature), an ItemCollection (FeatureCollection) and a Collection are read`,
      )
  }
}

function itemsOf(features: Json | undefined, base: string): readonly StacItem[] {
  if (!Array.isArray(features)) throw malformed('an ItemCollection has a list of features')
  if (features.length > MOST_ITEMS)
    throw overLimit(`an ItemCollection of ${features.length} Items, at most ${MOST_ITEMS} are read`)
  return (features as readonly Json[]).map((feature, place) => {
    if (!isJsonObject(feature)) throw malformed(`features[${place}] is no Item`)
    return readItem(feature, base, place)
  })
}

interface Link {
  readonly rel: string
  readonly href: string
  readonly method: string
}

function linksOf(json: JsonObject): readonly Link[] {
  const { links } = json
  if (!Array.isArray(links)) return []
  return (links as readonly Json[]).flatMap((link) => {
    if (!isJsonObject(link)) return []
    const { rel, href, method } = link
    if (typeof rel !== 'string' || typeof href !== 'string') return []
    return [{ rel, href, method: typeof method === 'string' ? method.toUpperCase() : 'GET' }]
  })
}

function nextOf(links: readonly Link[], base: string): string | undefined {
  const next = links.filter(({ rel }) => rel === 'next')
  if (next.length === 0) return undefined
  const link = next.find(({ method }) => method === 'GET')
  if (link !== undefined) return absolute(link.href, base)
  throw unsupported(
    'STAC: pages by POST',
    'the next page of the search is asked for by POST; a search by GET has pages that have a URL',
  )
}

/** A URL as a document names it. */
function absolute(href: string, base: string): string {
  if (URL.canParse(href, base)) return new URL(href, base).href
  throw malformed(`${JSON.stringify(href.slice(0, 100))} is no URL`)
}
