import { lazily } from '../../../codecs/kernels/wasm-decoder.ts'
import { CENTRES_1, CENTRES_2, GRID_TITLES_1, GRID_TITLES_2, MARS_TYPES, PROCESSED_DATA } from '../tables/codes.ts'
import { codeTable } from '../tables/text.ts'

/** What stands in brackets at the end of a title is taken for units. */
const UNITS = /\s*\([^)]*\)$/

const tables = lazily(() => ({
  centres: { 1: codeTable(CENTRES_1), 2: codeTable(CENTRES_2) },
  grids: { 1: codeTable(GRID_TITLES_1), 2: codeTable(GRID_TITLES_2) },
  marsTypes: codeTable(MARS_TYPES),
  processedData: codeTable(PROCESSED_DATA),
}))

/** Abbreviation and title of an originating centre. */
export function centreOf(code: number, edition: 1 | 2): { readonly centre: string; readonly centreTitle: string } {
  const entry = tables().centres[edition].get(code)
  return { centre: entry?.abbreviation ?? String(code), centreTitle: (entry?.title ?? String(code)).replace(UNITS, '') }
}

/** ECMWF's type of data of a GRIB 1 message. */
export function marsType(code: number): string | undefined {
  return tables().marsTypes.get(code)?.abbreviation
}

/** Code table 1.4 of GRIB 2. */
export function processedData(code: number): string {
  return tables().processedData.get(code)?.abbreviation ?? String(code)
}

/** What a grid's template is called; undefined where the tables don't know it. */
export function gridTitle(code: number, edition: 1 | 2): string | undefined {
  return tables().grids[edition].get(code)?.title.replace(UNITS, '')
}
