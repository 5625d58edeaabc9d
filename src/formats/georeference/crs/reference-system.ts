// Coordinate reference systems, as well-known text says them.
import { epsgWkt } from './epsg.ts'
import { childOf, node, parseWkt, unitSize, type Wkt, wktText } from './wkt.ts'

/** A coordinate reference system as clients know it. */
export interface Crs {
  /** `EPSG:32633`, without the heights of a compound system; undefined for systems that no register has. */
  readonly code: string | undefined
  /** WKT 1, or WKT 2 for the few registered systems that WKT 1 can't say. */
  readonly wkt: string
  /** What its coordinates are: on a globe, on its projection, or on no map at all. */
  readonly kind: 'geographic' | 'projected' | 'other'
  /** The unit of its coordinates, in radians or metres. */
  readonly unit: number
}

/** The system of a text from beside the file; undefined when it is none. */
export function crsOfWkt(text: string): Crs | undefined {
  const named = /^EPSG:(\d{1,6})$/i.exec(text)?.[1]
  const spelled = named === undefined ? text : epsgWkt(Number(named))
  const wkt = spelled === undefined ? undefined : parseWkt(spelled)
  if (spelled === undefined || wkt === undefined || !/(?:CS|CRS)$/.test(wkt.keyword)) return undefined
  const isCompound = wkt.keyword === 'COMPD_CS' || wkt.keyword === 'COMPOUNDCRS'
  const horizontal = isCompound ? wkt.members.find((member) => typeof member === 'object') : wkt
  if (horizontal === undefined) return undefined
  return { ...described(wktText(horizontal), codeIn(horizontal)), wkt: spelled }
}

/** The code of the EPSG register that a system says it has. */
function codeIn(wkt: Wkt): number | undefined {
  const [authority, code] = (childOf(wkt, 'AUTHORITY') ?? childOf(wkt, 'ID'))?.members ?? []
  const number = typeof code === 'object' ? Number.NaN : Number(code)
  return authority === 'EPSG' && Number.isSafeInteger(number) ? number : undefined
}

/** A system by its text, which is that of the code if there is one. */
export function described(text: string, code: number | undefined): Crs {
  const wkt = parseWkt(text) ?? node('')
  const kind = isGeographic(wkt) ? 'geographic' : wkt.keyword.startsWith('PROJ') ? 'projected' : 'other'
  return { code: code === undefined ? undefined : `EPSG:${code}`, wkt: text, kind, unit: unitSize(wkt) }
}

/** Whether the node is a system of angles on a globe. */
export function isGeographic({ keyword }: Wkt): boolean {
  return keyword === 'GEOGCS' || keyword === 'GEOGCRS'
}
