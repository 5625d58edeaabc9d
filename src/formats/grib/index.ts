import type { Format } from '../format.ts'
import { fieldChunks, listedChunks } from './chunk-index.ts'
import { sums } from './coordinates.ts'
import { coordinateChunks } from './geography.ts'
import { gribMark } from './mark.ts'
import { readFields } from './messages/read-fields.ts'
import { toModel } from './to-model.ts'

/** GRIB of both editions. */
export const grib: Format = {
  ...gribMark,
  makers: [fieldChunks, listedChunks, sums, coordinateChunks],
  async parse(source, context) {
    return toModel(await readFields(source, context), context)
  },
}
