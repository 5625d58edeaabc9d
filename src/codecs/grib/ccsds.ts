// CCSDS 121.0-B packing (5.42): adaptive Rice codes of integers.

import type { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import { decodeIntervals, type RiceSettings } from '../kernels/rice.ts'
import { applyScaling, constantValues } from './scaling.ts'
import type { SimplePacking } from './simple.ts'

/** How integers were coded, and what they mean. */
export interface CcsdsPacking extends SimplePacking {
  readonly codes: RiceSettings
}

// Bits of the flags (libaec.h). Others tell the writer in which order bytes are.
const SIGNED = 1
const PREPROCESSED = 8
const RESTRICTED = 16
const PADDED = 32

/** Reads what follows the scaling and width of section 5. */
export function readCcsds(cursor: Cursor, simple: SimplePacking): CcsdsPacking {
  cursor.skip(1)
  const flags = cursor.u8()
  const [blockLength, blocks] = [cursor.u8(), cursor.u16()]
  if ((flags & SIGNED) !== 0) throw unsupported('CCSDS of signed integers', 'CCSDS of signed integers is not decoded')
  if (simple.bits > 32 || blockLength < 2 || blockLength % 2 !== 0 || blocks < 1) {
    throw malformed(`CCSDS of ${simple.bits} bits in blocks of ${blockLength}, ${blocks} between references`)
  }
  const restricted = (flags & RESTRICTED) !== 0 && simple.bits <= 4
  const predicted = (flags & PREPROCESSED) !== 0
  const aligned = (flags & PADDED) !== 0
  return { ...simple, codes: { bits: simple.bits, blockLength, blocks, predicted, restricted, aligned } }
}

/** The values of a field. */
export function decodeCcsds(data: Uint8Array, packing: CcsdsPacking, count: number): Float64Array {
  if (packing.bits === 0) return constantValues(count, packing)
  const values = new Float64Array(count)
  decodeIntervals(data, packing.codes, count, (samples, at) => values.set(samples, at))
  return applyScaling(values, packing)
}
