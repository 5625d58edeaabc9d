import { SPHERE_OF_EDITION_1 } from '../../codecs/grib/grids/earth.ts'
import { gridOfEdition1 } from '../../codecs/grib/grids/edition1.ts'
import { gridOfEdition2 } from '../../codecs/grib/grids/edition2.ts'
import { type GridDefinition, scanningOf } from '../../codecs/grib/grids/grid.ts'
import type { Field, FieldOfEdition1 } from './messages/field.ts'

/** Bytes of section 4 of GRIB 1 before its values. */
const PACKING_BYTES = 11

/** The grid of a field. */
export function gridOf(field: Field): GridDefinition {
  if (field.edition === 2) return gridOfEdition2(field.grid)
  return field.grid === undefined ? predefined(field) : gridOfEdition1(field.grid)
}

/** A grid that only a centre's catalogue knows: as many values as section 4 has. */
function predefined({ packing, dataLength }: FieldOfEdition1): GridDefinition {
  const [flags, bits] = [packing[0] ?? 0, packing[7] ?? 0]
  const points = bits === 0 ? 1 : Math.floor(((dataLength - PACKING_BYTES) * 8 - (flags & 15)) / bits)
  const none = { columns: undefined, rows: undefined, rowLengths: undefined, uvRelativeToGrid: undefined }
  return { ...none, type: 'unknown', points, scanning: scanningOf(0), numbers: new Map(), earth: SPHERE_OF_EDITION_1 }
}
