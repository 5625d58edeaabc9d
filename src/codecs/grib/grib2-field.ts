import type { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported, type VirtualZarrError } from '../../errors.ts'
import { countPresent, spreadOver } from './bitmap.ts'
import { decodeCcsds, readCcsds } from './ccsds.ts'
import { decodeComplex, readComplex } from './complex.ts'
import { type FieldSections, fieldSections } from './grib2-sections.ts'
import { decodeIeee } from './ieee.ts'
import { decodeJpegField, decodePngField } from './pictures.ts'
import { decodeRunLength, readRunLength } from './run-length.ts'
import { decodeSimpleField } from './scaled-run.ts'
import { scalingOf, signed16, signed32 } from './scaling.ts'
import { decodeSimple, type SimplePacking, undoLogarithm } from './simple.ts'
import { decodeSpectralComplex, decodeSpectralSimple, readCorner } from './spectral.ts'
import { type ValueBits, type Values, valuesAs } from './values.ts'

const SPECTRAL_SIMPLE = 50
const SPECTRAL_COMPLEX = 51

/** Templates of section 5 that are decoded. */
const DECODED: ReadonlySet<number> = new Set([
  0,
  2,
  3,
  4,
  40,
  41,
  42,
  SPECTRAL_SIMPLE,
  SPECTRAL_COMPLEX,
  61,
  200,
  40_000,
  40_010,
])

/** Why values of a template of section 5 are not decoded; undefined for the usual ones. */
export function packingProblem(template: number): VirtualZarrError | undefined {
  if (DECODED.has(template)) return undefined
  return unsupported(`GRIB packing 5.${template}`, `GRIB 2 data of template 5.${template} are not decoded`)
}

/** The values of a GRIB 2 field in the order of the file, NaN where they are missing; `bytes` are its sections or its message. */
export async function decodeGrib2(bytes: Uint8Array, points: number, bits: ValueBits): Promise<Values> {
  const sections = fieldSections(bytes)
  const { bitmap, count, template } = sections
  // The grid says how many coefficients there are; writers leave other counts here.
  if (template === SPECTRAL_SIMPLE || template === SPECTRAL_COMPLEX) {
    return valuesAs(await decodeTemplate({ ...sections, count: points }, bits), bits)
  }
  const present = bitmap === undefined ? points : countPresent(bitmap, points)
  if (count !== present) throw malformed(`a GRIB field holds ${count} values, expected ${present}`)
  const values = await decodeTemplate(sections, bits)
  return bitmap === undefined ? valuesAs(values, bits) : spreadOver(bitmap, values, points, bits)
}

function decodeTemplate({ template, packing, data, count }: FieldSections, bits: ValueBits): Values | Promise<Values> {
  if (template === 4) return decodeIeee(data, packing.u8(), count)
  if (template === 200) return decodeRunLength(data, readRunLength(packing), count)
  const simple = readSimple(packing)
  switch (template) {
    case 0:
      return decodeSimpleField(data, simple, count, bits)
    case 2:
    case 3:
      return decodeComplex(data, readComplex(packing, simple, template === 3), count)
    case 40:
    case 40_000:
      return decodeJpegField(data, simple, count)
    case 41:
    case 40_010:
      return decodePngField(data, simple, count)
    case 42:
      return decodeCcsds(data, readCcsds(packing, simple), count)
    case SPECTRAL_SIMPLE:
      return decodeSpectralSimple(data, simple, packing.f32(), count)
    case SPECTRAL_COMPLEX:
      return decodeSpectralComplex(data, readSpectral(packing, simple), count)
    case 61:
      return undoLogarithm(decodeSimple(data, simple, count), packing.f32())
  }
  throw packingProblem(template) ?? malformed(`GRIB 2 data of template 5.${template}`)
}

/** What most templates begin with. */
function readSimple(cursor: Cursor): SimplePacking {
  const reference = cursor.f32()
  const [binary, decimal] = [signed16(cursor), signed16(cursor)]
  return { ...scalingOf(reference, binary, decimal), bits: cursor.u8() }
}

function readSpectral(cursor: Cursor, simple: SimplePacking) {
  const power = signed32(cursor) / 1e6
  const corner = readCorner(cursor, 2)
  cursor.skip(4)
  const precision = cursor.u8()
  if (precision !== 1) {
    throw unsupported(
      `GRIB numbers of precision ${precision}`,
      `coefficients of precision ${precision} are not decoded`,
    )
  }
  return { ...simple, power, corner, floats: 'ieee' as const, lastIsScaled: false }
}
