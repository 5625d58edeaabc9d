import { latin1Text } from '../../bytes/text.ts'
import type { FormatMark } from '../format.ts'

const MAGIC = 'GRIB'
/** A bulletin's heading may stand before the first message. */
const MOST_HEADING = 512

export const gribMark: FormatMark = {
  name: 'grib',
  recognises: (head) => {
    const text = latin1Text(head.subarray(0, MOST_HEADING))
    const start = text.indexOf(MAGIC)
    const edition = head[start + 7]
    return start >= 0 && (edition === 1 || edition === 2)
  },
}
