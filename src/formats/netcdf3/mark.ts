import type { FormatMark } from '../format.ts'
import { versionOf } from './header.ts'

export const netcdf3Mark: FormatMark = {
  name: 'netcdf3',
  recognises: (head) => versionOf(head) !== undefined,
}
