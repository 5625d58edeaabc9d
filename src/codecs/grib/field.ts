import { decodeGrib1 } from './grib1-field.ts'
import { decodeGrib2 } from './grib2-field.ts'
import type { ValueBits, Values } from './values.ts'

const MAGIC = 'GRIB'
const EDITION_1 = 1

/** Whether bytes are a message of GRIB 1: all else is of edition 2. */
export function isMessage1(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC && bytes[7] === EDITION_1
}

/** Values in the order of the file, NaN where they are missing. */
export async function decodeField(bytes: Uint8Array, points: number, bits: ValueBits): Promise<Values> {
  return isMessage1(bytes) ? decodeGrib1(bytes, points, bits) : await decodeGrib2(bytes, points, bits)
}
