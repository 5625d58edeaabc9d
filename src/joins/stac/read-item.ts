import { malformed } from '../../errors.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { StacAsset, StacBand, StacItem } from './document.ts'

/** Schemes of places that are read here. */
const READ = /^(?:https?|s3|gs|az|abfss?|file):/i

/** Reads an Item; `place` is where it stands in a collection. */
export function readItem(json: JsonObject, base: string, place: number | undefined): StacItem {
  const named = typeof json['id'] === 'string' ? json['id'] : undefined
  const id = named ?? (place === undefined ? 'the Item' : `features[${place}]`)
  const properties = objectIn(json, 'properties') ?? {}
  const assets = objectIn(json, 'assets')
  if (assets === undefined) throw malformed(`${id} has no assets`)
  const own = ownBase(json, base)
  return {
    id,
    time: timeOf(properties, id),
    assets: Object.entries(assets).flatMap(([key, asset]) =>
      isJsonObject(asset) ? assetOf(key, asset, own, properties) : [],
    ),
    properties: plainValues(properties),
  }
}

/** Places count from where the Item itself lies, which in a search is not where the document does. */
function ownBase(json: JsonObject, base: string): string {
  const links = Array.isArray(json['links']) ? (json['links'] as readonly Json[]) : []
  const self = links.flatMap((link) => (isJsonObject(link) && link['rel'] === 'self' ? [link['href']] : []))
  const [href] = self
  return typeof href === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(href) && URL.canParse(href) ? href : base
}

function assetOf(key: string, asset: JsonObject, base: string, properties: JsonObject): StacAsset[] {
  const href = hrefOf(asset, base)
  if (href === undefined) return []
  const roles = Array.isArray(asset['roles']) ? asset['roles'].filter((role) => typeof role === 'string') : []
  return [
    {
      key,
      href,
      mediaType: textIn(asset, 'type'),
      roles,
      title: textIn(asset, 'title'),
      bands: bandsOf(asset, properties),
    },
  ]
}

function hrefOf(asset: JsonObject, base: string): string | undefined {
  const others = Object.values(objectIn(asset, 'alternate') ?? {})
  const all = [asset, ...others.filter(isJsonObject)].flatMap((place) => textIn(place, 'href') ?? [])
  const urls = all.flatMap((href) => {
    const isLocation = READ.test(href)
    if (isLocation) return [href]
    return URL.canParse(href, base) ? [new URL(href, base).href] : []
  })
  return urls.find((url) => READ.test(url))
}

/**
 * STAC 1.1 has one list of bands; before, each extension had its own. What is said of the asset is said of its bands, and what the common
 * metadata of data values (STAC 1.1) say in the Item's properties is said of all its assets that say nothing themselves.
 */
function bandsOf(asset: JsonObject, { nodata, unit }: JsonObject): readonly StacBand[] {
  const lists = ['bands', 'eo:bands', 'raster:bands'].map((name) => {
    const list = asset[name]
    return Array.isArray(list) ? (list as readonly Json[]).map((item) => (isJsonObject(item) ? item : {})) : []
  })
  const count = Math.max(1, ...lists.map((list) => list.length))
  const common: JsonObject = { ...(nodata !== undefined && { nodata }), ...(unit !== undefined && { unit }) }
  return Array.from({ length: count }, (_none, at) =>
    bandOf(
      lists.map((list) => list[at] ?? {}),
      asset,
      common,
    ),
  )
}

const OPTICS = ['common_name', 'center_wavelength', 'full_width_half_max', 'solar_illumination', 'description']

function bandOf(listed: readonly JsonObject[], asset: JsonObject, common: JsonObject): StacBand {
  const said = [...listed, asset, common]
  const find = <T>(
    names: readonly string[],
    read: (json: JsonObject, name: string) => T | undefined,
  ): T | undefined => {
    for (const json of said)
      for (const name of names) {
        const value = read(json, name)
        if (value !== undefined) return value
      }
    return undefined
  }
  const optics = OPTICS.flatMap((name) => {
    // The asset's own description is not that of a band.
    const from = name === 'description' ? listed : said
    for (const json of from) {
      const value = plain(json[`eo:${name}`] ?? json[name])
      if (typeof value === 'string' || typeof value === 'number') return [[name, value] as const]
    }
    return []
  })
  return {
    name: listed.map((json) => textIn(json, 'name')).find((name) => name !== undefined),
    scale: find(['raster:scale', 'scale'], numberIn),
    offset: find(['raster:offset', 'offset'], numberIn),
    nodata: find(['nodata', 'raster:nodata'], numberText),
    unit: find(['unit'], textIn),
    optics: new Map(optics),
  }
}

function numberText(json: JsonObject, name: string): string | undefined {
  const value = plain(json[name])
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && /^(?:nan|-?inf)$/i.test(value) ? value : undefined
}

function numberIn(json: JsonObject, name: string): number | undefined {
  const value = plain(json[name])
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function textIn(json: JsonObject, name: string): string | undefined {
  const value = json[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function objectIn(json: JsonObject, name: string): JsonObject | undefined {
  const value = json[name]
  return isJsonObject(value) ? value : undefined
}

function plain(value: Json | undefined): string | number | boolean | undefined {
  if (value instanceof Float) return value.value
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

function plainValues(properties: JsonObject): ReadonlyMap<string, string | number | boolean> {
  return new Map(
    Object.entries(properties).flatMap(([name, value]) => {
      const own = plain(value)
      return own === undefined ? [] : [[name, own] as const]
    }),
  )
}

const DATE = /^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:?\d{2})$/

function timeOf(properties: JsonObject, id: string): number | undefined {
  const text = textIn(properties, 'datetime') ?? textIn(properties, 'start_datetime')
  if (text === undefined) return undefined
  const [, seconds = '', fraction = '', zone = 'Z'] = DATE.exec(text) ?? []
  const milliseconds = Date.parse(`${seconds.replace(' ', 'T')}${zone}`)
  if (Number.isNaN(milliseconds)) throw malformed(`the datetime of ${id} is ${JSON.stringify(text.slice(0, 60))}`)
  return milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
