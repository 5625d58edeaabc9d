import { SPHERE_OF_EDITION_1 } from '../../codecs/grib/grids/earth.ts'
import { gridOfEdition1 } from '../../codecs/grib/grids/edition1.ts'
import { gridOfEdition2 } from '../../codecs/grib/grids/edition2.ts'
import { type GridDefinition, scanningOf } from '../../codecs/grib/grids/grid.ts'
import type { Field, FieldOfEdition1 } from './messages/field.ts'

/** Bytes of section 4 of GRIB 1 before its values. */
const PACKING_BYTES = 11
/** What three bytes can say of a message's length without the bit for long ones. */
const MAX_USUAL_BYTES = 0x7f_ff_ff - 4
/** Flags of section 4: spherical harmonics, other packing than simple, numbers, an extension. */
const NOT_SIMPLE = 0xf0

/** The grid of a field. */
export function gridOf(field: Field): GridDefinition {
  if (field.edition === 2) return gridOfEdition2(field.grid)
  return field.grid === undefined ? predefined(field) : gridOfEdition1(field.grid, valueCount(field))
}

/** A grid that only a centre's catalogue knows: as many values as section 4 has. */
function predefined(field: FieldOfEdition1): GridDefinition {
  const none = { columns: undefined, rows: undefined, rowLengths: undefined, uvRelativeToGrid: undefined }
  const earth = { earth: SPHERE_OF_EDITION_1, units: { degrees: 1, metres: 1 } }
  return {
    ...none,
    ...earth,
    type: 'unknown',
    points: packedCount(field) ?? 1,
    scanning: scanningOf(0),
    numbers: new Map(),
  }
}

/** How many points have a value, where section 4 says that. */
function valueCount(field: FieldOfEdition1): number | undefined {
  const isSimple = ((field.packing[0] ?? 0) & NOT_SIMPLE) === 0
  // Longer messages say another length in section 4.
  const isLong = field.parts.some(({ length }) => length > MAX_USUAL_BYTES)
  return isSimple && !isLong && !field.hasBitmap ? packedCount(field) : undefined
}

/** Undefined for a constant field, which has no values. */
function packedCount({ packing, dataLength }: FieldOfEdition1): number | undefined {
  const [flags, bits] = [packing[0] ?? 0, packing[7] ?? 0]
  return bits === 0 ? undefined : Math.floor(((dataLength - PACKING_BYTES) * 8 - (flags & 15)) / bits)
}
