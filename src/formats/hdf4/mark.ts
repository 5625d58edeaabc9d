import type { FormatMark } from '../format.ts'

const MAGIC = [0x0e, 0x03, 0x13, 0x01]

export const hdf4Mark: FormatMark = {
  name: 'hdf4',
  recognises: (head) => MAGIC.every((byte, at) => head[at] === byte),
}
