import { unpackedText } from '../../../bytes/packed-text.ts'
import { EPSG_TABLE, type EpsgParts } from './epsg-table.ts'
import { parseWkt, type Wkt } from './wkt.ts'

/** What codes of the EPSG dataset stand for; each kind counts for itself. */
type EpsgKind = keyof typeof EPSG_TABLE

/** The WKT of a system of the EPSG dataset; undefined for codes that it doesn't have. */
export function epsgWkt(code: number): string | undefined {
  return entry('crs', code)
}

/** A part of systems by its code: `DATUM`, `SPHEROID`, `PRIMEM` or `UNIT`. */
export function epsgPart(kind: 'datum' | 'ellipsoid' | 'meridian' | 'length' | 'angle', code: number): Wkt | undefined {
  const text = entry(kind, code)
  return text === undefined ? undefined : parseWkt(text)
}

/** `PROJECTION` and its `PARAMETER`s, in metres and degrees, of a projection with its values. */
export function epsgConversion(code: number): readonly Wkt[] | undefined {
  const text = entry('conversion', code)
  return text === undefined
    ? undefined
    : parseWkt(`CONVERSION[${text}]`)?.members.filter((part) => typeof part === 'object')
}

/** The one system that replaces a deprecated one. */
export function successorOf(code: number): number | undefined {
  const text = entry('successor', code)
  return text === undefined ? undefined : Number(text)
}

/** Whether the datum of a geodetic system moves with its plate. */
export function isDynamic(code: number): boolean {
  return entry('dynamic', code) !== undefined
}

/** The code of a datum by its name, or by the name that ArcGIS has for it. */
export function datumCode(name: string): number | undefined {
  if (name === '') return undefined
  const lower = name.toLowerCase()
  const official = `datum["${lower.replaceAll(/[^a-z0-9+]+/g, '_')}",`
  return codeWhere('esriDatum', (text) => text === lower) ?? codeWhere('datum', (text) => text.startsWith(official))
}

/** The first code whose text, in lower case, is the one that is sought. */
function codeWhere(kind: EpsgKind, isSought: (text: string) => boolean): number | undefined {
  for (const [, content] of EPSG_TABLE[kind]) {
    const line = unpackedText(content)
      .toLowerCase()
      .split('\n')
      .find((entryLine) => isSought(entryLine.slice(entryLine.indexOf(' ') + 1)))
    if (line !== undefined) return Number.parseInt(line, 10)
  }
  return undefined
}

function entry(kind: EpsgKind, code: number): string | undefined {
  const parts: EpsgParts = EPSG_TABLE[kind]
  const part = parts.findLast(([first]) => first <= code)
  if (part === undefined) return undefined
  const text = `\n${unpackedText(part[1])}\n`
  const start = text.indexOf(`\n${code} `)
  if (start < 0) return undefined
  const value = start + 2 + String(code).length
  return text.slice(value, text.indexOf('\n', value))
}
