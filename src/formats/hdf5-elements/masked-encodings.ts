import type { Encoding, StoredCodec } from '../../model/encoding.ts'
import { recipe } from '../../model/recipe.ts'

/** All ways in which the chunks of a dataset may be stored. */
export interface MaskedEncodings {
  /** `[0]` is the whole pipeline. */
  readonly encodings: readonly Encoding[]
  /** The place in `encodings` for a filter mask: bit `i` says that filter `i` was left out. Undefined where none was planned. */
  encodingOf(mask: number): number | undefined
}

/** With more filters only the two masks that writers use are planned: none left out, and all. */
const MOST_MASKED_FILTERS = 5

/** One encoding for each filter mask: the codecs that make bytes of the array, then the filters in the order they were applied. */
export function maskedEncodings(codecs: Encoding, filters: readonly StoredCodec[]): MaskedEncodings {
  const encodingOf = maskPlaces(filters.length)
  if (filters.length > MOST_MASKED_FILTERS) return { encodings: [[...codecs, ...filters], codecs], encodingOf }
  const all = 2 ** filters.length - 1
  const encodings = Array.from({ length: all + 1 }, (_, mask) => [
    ...codecs,
    ...filters.filter((_, i) => (mask & (1 << i)) === 0),
  ])
  return { encodings, encodingOf }
}

/** The place of the encoding for a mask, by the number of filters. */
export const maskPlaces = recipe('hdf5.masks', (filters: number): MaskedEncodings['encodingOf'] => {
  const all = 2 ** filters - 1
  // Bits beyond the pipeline mean nothing.
  const known = (mask: number) => (mask & all) >>> 0
  if (filters <= MOST_MASKED_FILTERS) return known
  const places = new Map([0, all].map((mask, place) => [mask, place]))
  return (mask) => places.get(known(mask))
})
