import type { Dataset, Metadata } from 'h5wasm/node'
import { ENUM, FLOAT, INTEGER, TEXT } from './hdf5-types.ts'
import type { ReaderFault } from './reader.ts'

/** The filter that leaves out bits. */
const NBIT = 5

/** Kinds of values that h5wasm 0.10 gives otherwise than they are; test/verify/reader-faults.test.ts has the proof. */
export function faultOfH5wasm(
  { filters }: Dataset,
  metadata: Metadata,
  member: number | undefined,
): ReaderFault | undefined {
  if (member !== undefined && !metadata.littleEndian && metadata.size > 1)
    return {
      why: 'h5wasm 0.10 takes big-endian members of records for little-endian',
      makes: { kind: 'swapped-bytes' },
    }
  if (member === undefined && metadata.type === INTEGER)
    return {
      why: 'h5wasm 0.10 gives integers of fewer bits than their bytes have as they are stored',
      makes: { kind: 'raw-bits' },
    }
  if (metadata.type === FLOAT && filters.some(({ id }) => id === NBIT))
    return { why: 'h5wasm 0.10 gives floats of fewer bits than their bytes have as they are stored' }
  if (metadata.type === ENUM && !metadata.littleEndian && metadata.size > 1)
    return { why: 'h5wasm 0.10 takes big-endian enumerations for little-endian', makes: { kind: 'swapped-bytes' } }
  if (metadata.type === TEXT && metadata.cset !== 1)
    return { why: 'h5wasm 0.10 takes text that is no UTF-8 for windows-1252', makes: { kind: 'windows-1252' } }
  return undefined
}
