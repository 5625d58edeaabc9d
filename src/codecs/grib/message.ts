// kerchunk's codec of whole GRIB messages: `{"id": "grib", "var": "t2m", "dtype": "float64"}`, in references that its `scan_grib` writes.

import { malformed, overLimit, unsupported } from '../../errors.ts'
import type { DataType } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { SerialCodec } from '../codec.ts'
import { numpyTypeMember } from '../numcodecs/numpy-type.ts'
import { decodeField, isMessage1 } from './field.ts'
import { messageParts } from './grib1-message.ts'
import { fieldSections } from './grib2-sections.ts'
import { gridOfEdition1 } from './grids/edition1.ts'
import { gridOfEdition2 } from './grids/edition2.ts'
import { emptyValues, type ValueBits, type Values } from './values.ts'

/** The names that mean the places of points, and which of the two numbers of a place. */
const PLACES: ReadonlyMap<string, 0 | 1> = new Map([
  ['latitude', 0],
  ['longitude', 1],
])

/** Values of a message's first field in the order of the file, NaN where they are missing; or where its points are. */
export const gribMessage: SerialCodec = {
  kind: 'serial',
  name: 'numcodecs.grib',
  reach: 'native',
  prepare: (configuration, { shape, dataType }) => {
    const variable = configuration['var']
    if (typeof variable !== 'string') throw malformed('codec configuration: "var" of grib is no text')
    const which = PLACES.get(variable)
    const usual: DataType = { kind: 'float', bits: which === undefined ? 32 : 64 }
    const stored = numpyTypeMember(configuration, 'dtype', usual)
    if (dataType.kind !== 'float' || dataType.bits === 16 || stored.kind !== 'float' || stored.bits !== dataType.bits) {
      throw unsupported('GRIB in another type', 'GRIB messages are decoded to float32 or float64')
    }
    const bits: ValueBits = dataType.bits
    const points = elementCount(shape)
    return {
      decode: async (bytes, { limit }) => {
        if (points * (bits / 8) > limit) throw overLimit(`a GRIB field of ${points} points is more than ${limit} bytes`)
        const values =
          which === undefined ? await decodeField(bytes, points, bits) : await placesOf(bytes, points, bits, which)
        return { kind: 'fixed', bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength) }
      },
    }
  },
}

async function placesOf(message: Uint8Array, points: number, bits: ValueBits, which: 0 | 1): Promise<Values> {
  const section = isMessage1(message) ? messageParts(message).grid : fieldSections(message).grid
  if (section === undefined) throw unsupported('GRIB grid', 'a GRIB message has no description of its grid')
  // Maps come with a library that a page needs only for them.
  const [{ pointPlaces }, { reconcileGrid }] = await Promise.all([
    import('./grids/places.ts'),
    import('./grids/reconcile.ts'),
  ])
  const described = isMessage1(message) ? gridOfEdition1(section, points) : gridOfEdition2(section)
  const { grid } = reconcileGrid(described)
  if (grid.points !== points) throw malformed(`a grid of ${grid.points} points, expected ${points}`)
  const placeAt = pointPlaces(grid)
  if (placeAt === undefined)
    throw unsupported(`places of ${grid.type}`, `where points of a grid ${grid.type} lie is not known`)
  const values = emptyValues(points, bits)
  for (let index = 0; index < points; index++) values[index] = placeAt(index)?.[which] ?? Number.NaN
  return values
}
