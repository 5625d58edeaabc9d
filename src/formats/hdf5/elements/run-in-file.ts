import { type ErrorContext, malformed } from '../../../errors.ts'
import type { RunPlace } from '../../../model/plain-indexes.ts'

/** Bytes of one run of the parsed file; `end` is the file's. */
export function runInFile(start: number, end: number, place: ErrorContext): RunPlace['refAt'] {
  return (offset, length) => {
    if (start + offset + length > end) {
      throw malformed(`the values end at byte ${start + offset + length} of a file of ${end} bytes`, {
        ...place,
        offset: start,
      })
    }
    return { kind: 'range', source: 0, offset: start + offset, length, encoding: 0 }
  }
}
