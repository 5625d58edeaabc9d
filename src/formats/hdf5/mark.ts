import type { FormatMark } from '../format.ts'
import { hasLateSignature, hasSignature } from './structures/signature.ts'

export const hdf5Mark: FormatMark = {
  name: 'hdf5',
  recognises: (head) => hasSignature(head),
  isFurtherOn: hasLateSignature,
}
