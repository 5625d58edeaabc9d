import type { FormatMark } from '../format.ts'
import { isTiff } from './directories/file-header.ts'

export const tiffMark: FormatMark = {
  name: 'tiff',
  recognises: (head) => isTiff(head),
}
