import { lazily } from '../../../lazily.ts'
import { codeLines, codeTable } from '../tables/text.ts'

/** What stands in brackets at the end of a title is taken for units. */
const UNITS = /\s*\([^)]*\)$/

const NOT_SAID = 255

const tables = lazily(() => ({
  centres: { 1: codeTable('centres 1'), 2: codeTable('centres 2') },
  grids: { 1: codeTable('grids 1'), 2: codeTable('grids 2') },
  earlierGrids: earlierGrids(),
  marsTypes: codeTable('mars types'),
  processedData: codeTable('processed data'),
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
export function processedData(code: number): string | undefined {
  return code === NOT_SAID ? undefined : (tables().processedData.get(code)?.abbreviation ?? String(code))
}

/** What a grid's template is called in GRIB 1; undefined where the table doesn't know it. */
export function gridTitleOfEdition1(code: number): string | undefined {
  return tables().grids[1].get(code)?.title.replace(UNITS, '')
}

/** What a grid's template is called in a version of the tables of GRIB 2: its number, where it was none yet. */
export function gridTitleOfEdition2(code: number, version: number): string {
  const earlier = tables().earlierGrids.find((grid) => grid.code === code && version <= grid.last)
  const title = earlier === undefined ? tables().grids[2].get(code)?.title : earlier.title
  return (title ?? String(code)).replace(UNITS, '')
}

/** In the order of the versions. */
function earlierGrids() {
  return codeLines('earlier grids 2').map((line) => {
    const [last, code, ...words] = line.split(' ')
    const title = words.join(' ')
    return { last: Number(last), code: Number(code), title: title === '?' ? undefined : title }
  })
}
