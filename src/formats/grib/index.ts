import { latin1Text } from '../../bytes/text.ts'
import type { Format } from '../format.ts'
import { readFields } from './messages/read-fields.ts'
import { toModel } from './to-model.ts'

const MAGIC = 'GRIB'
/** A bulletin's heading may stand before the first message. */
const MOST_HEADING = 512

/** GRIB of both editions. */
export const grib: Format = {
  name: 'grib',
  recognises: (head) => {
    const text = latin1Text(head.subarray(0, MOST_HEADING))
    const start = text.indexOf(MAGIC)
    const edition = head[start + 7]
    return start >= 0 && (edition === 1 || edition === 2)
  },
  async parse(source, context) {
    return toModel(await readFields(source, context), context)
  },
}
