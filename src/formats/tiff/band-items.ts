import type { ItemText } from '../../fill-value/tiff-nodata.ts'
import type { MetadataItem } from './gdal-metadata.ts'

/** Bounds what many names and many bands can make of few items. */
const MOST_TEXTS = 1_000_000

export interface BandItems {
  readonly items: readonly MetadataItem[]
  readonly samples: number
  nameOf(item: MetadataItem): string
  /** An item of so many others that it is left out. */
  onLeftOut(name: string): void
}

/** Items by name: of a band the last one counts, and a band without one has that of the image. */
export function textsByName({ items, samples, nameOf, onLeftOut }: BandItems): ReadonlyMap<string, ItemText> {
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
