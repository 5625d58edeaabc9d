import type { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import { countPresent, isSet, spreadOver } from './bitmap.ts'
import { gridRows, type MessageParts, messageParts } from './grib1-message.ts'
import { decodeGeneralGroups, decodeRowGroups, groupsAreRows, type SecondOrderHead } from './grib1-second-order.ts'
import { decodeIeee } from './ieee.ts'
import { decodeSimpleField } from './scaled-run.ts'
import { applyScaling, ibmFloat, scalingOf, signed16 } from './scaling.ts'
import { undoBoustrophedon } from './second-order.ts'
import type { SimplePacking } from './simple.ts'
import { decodeSpectralComplex, decodeSpectralSimple, readCorner } from './spectral.ts'
import { type ValueBits, type Values, valuesAs } from './values.ts'

// Flags of section 4 (table 11), and those of octet 14.
const SPECTRAL = 128
const COMPLEX = 64
const NUMBERS = 32
const EXTENDED = 16
const MATRIX = 64
const GENERAL = 8
const BOUSTROPHEDON = 4
const DIFFERENCES = 3

/** The values of a GRIB 1 message in the order of the file, NaN where they are missing. */
export function decodeGrib1(message: Uint8Array, points: number, bits: ValueBits): Values {
  const parts = messageParts(message)
  const flags = parts.data.u8()
  const packing = readPacking(parts)
  if ((flags & SPECTRAL) !== 0) return valuesAs(decodeSpectral(parts, packing, flags, points), bits)
  const { data, bitmap } = parts
  const present = bitmap === undefined ? points : countPresent(bitmap, points)
  const spread = (values: Values) =>
    bitmap === undefined ? valuesAs(values, bits) : spreadOver(bitmap, values, points, bits)
  if ((flags & COMPLEX) !== 0) return decodeSecondOrder(parts, packing, { points, present, spread })
  if ((flags & EXTENDED) === 0) return spread(decodeSimpleField(rest(data), packing, present, bits))
  return spread(decodeNumbers(data, flags, present))
}

function readPacking({ data, decimalExponent }: MessageParts): SimplePacking {
  const binary = signed16(data)
  const reference = ibmFloat(data.u32())
  return { ...scalingOf(reference, binary, decimalExponent), bits: data.u8() }
}

function rest(cursor: Cursor): Uint8Array {
  return cursor.take(cursor.remaining)
}

/** ECMWF's numbers as they are: how long is said as in GRIB 2. */
function decodeNumbers(data: Cursor, flags: number, count: number): Float64Array {
  if ((flags & NUMBERS) === 0) throw matrices()
  const precision = data.u8()
  return decodeIeee(rest(data), precision, count)
}

function matrices(): Error {
  return unsupported('GRIB 1 matrices', 'GRIB 1 data with a matrix at each point are not decoded')
}

function decodeSpectral({ data }: MessageParts, packing: SimplePacking, flags: number, count: number): Float64Array {
  if ((flags & COMPLEX) === 0) {
    const first = ibmFloat(data.u32())
    return decodeSpectralSimple(rest(data), packing, first, count)
  }
  data.skip(2)
  const power = signed16(data) / 1000
  const corner = readCorner(data, 1)
  return decodeSpectralComplex(rest(data), { ...packing, power, corner, floats: 'ibm', lastIsScaled: true }, count)
}

interface Extent {
  readonly points: number
  readonly present: number
  /** Puts values where the bitmap has them. */
  spread(values: Values): Values
}

function decodeSecondOrder(parts: MessageParts, packing: SimplePacking, extent: Extent): Values {
  const { data } = parts
  data.skip(2)
  const flags = data.u8()
  if ((flags & MATRIX) !== 0) throw matrices()
  data.skip(2)
  const groups = data.u16()
  data.skip(2)
  const head: SecondOrderHead = { groups: groups + 65_536 * data.u8(), widthOfReferences: packing.bits, flags }
  const integers =
    (flags & GENERAL) !== 0
      ? decodeGeneralGroups(data, head, flags & DIFFERENCES, extent.present)
      : decodeRowGroups(data, head, groupsAreRows(head) ? presentRows(parts, extent) : [], extent.present)
  const values = extent.spread(applyScaling(integers, packing))
  return (flags & BOUSTROPHEDON) === 0 ? values : undoBoustrophedon(values, rowsOf(parts, extent))
}

/** Points of each row. */
function rowsOf({ grid }: MessageParts, { points }: Extent): readonly number[] {
  const rows = gridRows(grid)
  const total = rows.reduce((sum, length) => sum + length, 0)
  if (total !== points) throw malformed(`the rows of a grid have ${total} points, expected ${points}`)
  return rows
}

/** Stored values of each row. */
function presentRows(parts: MessageParts, extent: Extent): readonly number[] {
  const rows = rowsOf(parts, extent)
  const { bitmap } = parts
  if (bitmap === undefined) return rows
  let at = 0
  return rows.map((length) => {
    let present = 0
    for (const end = at + length; at < end; at++) present += Number(isSet(bitmap, at))
    return present
  })
}
