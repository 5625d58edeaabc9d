import type { Format } from '../format.ts'
import { gribMark } from './mark.ts'
import { readFields } from './messages/read-fields.ts'
import { toModel } from './to-model.ts'

/** GRIB of both editions. */
export const grib: Format = {
  ...gribMark,
  async parse(source, context) {
    return toModel(await readFields(source, context), context)
  },
}
