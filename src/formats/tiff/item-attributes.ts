import type { ItemText } from '../../fill-value/tiff-nodata.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { type GdalMetadata, isNodataItem, type MetadataItem } from './gdal-metadata.ts'

type NamedValue = readonly [string, AttributeValue]

const PACKING_ROLES: ReadonlySet<string | undefined> = new Set(['scale', 'offset'])

/**
 * Names that readers of CF act on, and GDAL does not: `gdal_translate -unscale` leaves the items of a NetCDF file where
 * they were. Scale and offset are what has that role.
 */
const INERT: ReadonlySet<string> = new Set(['scale_factor', 'add_offset', 'dtype', '_Encoding'])

/** CF has one value of these for an array; a list breaks readers. */
const SINGLE: ReadonlySet<string> = new Set(['units', 'calendar', '_Unsigned', 'coordinates', 'grid_mapping'])

/** GDAL's metadata in `layout=dataset`: one text where all bands agree, a list where they differ. */
export function itemAttributes(
  metadata: GdalMetadata,
  samples: number,
  path: string,
  context: ParseContext,
): NamedValue[] {
  const plain = metadata.items.filter((item) => !isNodataItem(item) && !PACKING_ROLES.has(item.role))
  // What has a role is GDAL's own; an item of the same name is what some other writer made of it.
  const withRole = new Set(plain.flatMap((item) => (item.role === undefined ? [] : [attributeName(item)])))
  const items = plain.filter((item) => item.role !== undefined || !withRole.has(attributeName(item)))
  return named(items, samples, attributeName, path, context)
}

/** The same in `layout=ifd`: by their own names, as virtual-tiff has them. */
export function flatItemAttributes(
  metadata: GdalMetadata,
  samples: number,
  path: string,
  context: ParseContext,
): NamedValue[] {
  const items = metadata.items.filter((item) => !isNodataItem(item))
  return named(items, samples, ({ name }) => name, path, context)
}

/** FV-TIFF-1: the texts of nodata values, by name. */
export function nodataTexts(
  metadata: GdalMetadata,
  samples: number,
  path: string,
  context: ParseContext,
): ReadonlyMap<string, ItemText> {
  const items = metadata.items.filter(isNodataItem)
  return textsByName({ items, samples, nameOf: ({ name }) => name, onLeftOut: leftOut(path, context) })
}

function named(
  items: readonly MetadataItem[],
  samples: number,
  nameOf: (item: MetadataItem) => string,
  path: string,
  context: ParseContext,
): NamedValue[] {
  const texts = textsByName({ items, samples, nameOf, onLeftOut: leftOut(path, context) })
  return [...texts].map(([name, text]): NamedValue => {
    if (INERT.has(name)) return [renamed(name, path, context), text]
    return [SINGLE.has(name) && typeof text !== 'string' ? `band_${name}` : name, text]
  })
}

function renamed(name: string, path: string, context: ParseContext): string {
  const message = `the item ${name} has no role, so GDAL does not act on it: it is the attribute gdal_${name}`
  context.warn({ code: 'name-changed', message, path })
  return `gdal_${name}`
}

function attributeName({ name, role, domain }: MetadataItem): string {
  if (domain !== undefined && domain !== '') return `${domain}:${name}`
  if (role === 'description') return 'long_name'
  if (role === 'unittype') return 'units'
  return name
}

function leftOut(path: string, context: ParseContext): (name: string) => void {
  return (name) => {
    const message = `the item ${JSON.stringify(name.slice(0, 60))} is left out: the bands have too many different ones`
    context.warn({ code: 'metadata-malformed', message, path })
  }
}

/** Bounds what many names and many bands can make of few items. */
const MOST_TEXTS = 1_000_000

interface BandItems {
  readonly items: readonly MetadataItem[]
  readonly samples: number
  nameOf(item: MetadataItem): string
  /** An item of so many others that it is left out. */
  onLeftOut(name: string): void
}

/** Items by name: of a band the last one counts, and a band without one has that of the image. */
function textsByName({ items, samples, nameOf, onLeftOut }: BandItems): ReadonlyMap<string, ItemText> {
  const named = new Map<string, ItemText>()
  let listed = 0
  for (const [name, group] of Map.groupBy(items, nameOf)) {
    const { whole, bands } = lastOf(group, samples)
    if (bands.size === 0 && whole === undefined) continue
    const distinct = new Set(bands.values())
    if (bands.size < samples) distinct.add(whole ?? '')
    const [first = ''] = distinct
    if (distinct.size === 1) {
      named.set(name, first)
      continue
    }
    listed += samples
    if (listed > MOST_TEXTS) onLeftOut(name)
    else named.set(name, textsOfBands(bands, whole, samples))
  }
  return named
}

function lastOf(group: readonly MetadataItem[], samples: number) {
  const bands = new Map<number, string>()
  let whole: string | undefined
  for (const { sample, text } of group) {
    if (sample === undefined) whole = text
    else if (sample < samples) bands.set(sample, text)
  }
  return { whole, bands }
}

function textsOfBands(bands: ReadonlyMap<number, string>, whole: string | undefined, samples: number): string[] {
  return Array.from({ length: samples }, (_, sample) => bands.get(sample) ?? whole ?? '')
}
