import { latin1Text } from '../../bytes/text.ts'
import type { FormatMark } from '../format.ts'

const MAGIC = 'SIMPLE  ='

export const fitsMark: FormatMark = {
  name: 'fits',
  recognises: (head) => latin1Text(head.subarray(0, MAGIC.length)) === MAGIC,
}
