import { overLimit } from '../../errors.ts'

/** Bytes of values that one document may hold in memory: small ones may say that they are large (zlib, repeated texts). */
const MOST_INLINE_BYTES = 2 ** 26

/** Counts what is held of a document's own values; throws before it is too much. */
export type InlineBudget = (bytes: number) => void

export function inlineBudget(): InlineBudget {
  let spent = 0
  return (bytes) => {
    if (!(spent + bytes <= MOST_INLINE_BYTES)) {
      throw overLimit(`the sidecar holds more than ${MOST_INLINE_BYTES} bytes of values`)
    }
    spent += bytes
  }
}
