import { malformed } from '../../errors.ts'
import { requireInteger } from '../configuration.ts'
import { internalBytes } from '../internal.ts'
import { BitReader } from '../kernels/bit-reader.ts'

interface NbitParameters {
  /** Bytes of all elements. */
  readonly length: number
  /** Bytes of an element, the highest first. */
  readonly size: number
  /** The highest bit that is stored, and how many from there down. */
  readonly highest: number
  readonly count: number
  readonly signExtended: boolean
  readonly filledWithOnes: boolean
}

/** HDF4's N-bit (cnbit.c): some bits of each element; those that are not stored are all 0 or 1, or above the highest that one again. */
export const hdf4Nbit = internalBytes<NbitParameters>({
  name: 'vz.hdf4-nbit',
  prepare: (parameters) => {
    const { length, size, highest, count } = parameters
    requireInteger('size', size, 1, 8)
    requireInteger('highest', highest, 0, size * 8 - 1)
    requireInteger('count', count, 1, highest + 1)
    if (length % size !== 0) throw malformed(`${length} bytes of N-bit values are no whole number of ${size}`)
    return {
      decode: (bytes, { limit }) => {
        if (length > limit) throw malformed(`N-bit values of ${length} bytes, at most ${limit} are expected`)
        if ((length / size) * count > bytes.length * 8) {
          throw malformed(`${bytes.length} bytes hold no ${length / size} values of ${count} bits`)
        }
        return size > 4 ? wide(bytes, parameters, length / size) : narrow(bytes, parameters, length / size)
      },
    }
  },
})

/** All bits of an element fit into a number. */
function narrow(bytes: Uint8Array, parameters: NbitParameters, elements: number): Uint8Array {
  const { size, highest, count, signExtended, filledWithOnes } = parameters
  const result = new Uint8Array(elements * size)
  const reader = new BitReader(bytes, 'N-bit values')
  const low = highest + 1 - count
  const below = 2 ** low - 1
  const upTo = 2 ** (highest + 1) - 1
  const above = ~upTo
  const ones = filledWithOnes ? above | below : 0
  const sign = 2 ** (count - 1)
  for (let i = 0, at = 0; i < elements; i++) {
    const stored = reader.read(count)
    let value = (stored << low) | ones
    if (signExtended) value = stored >= sign ? value | above : value & upTo
    for (let byte = size - 1; byte >= 0; byte--) result[at++] = value >>> (8 * byte)
  }
  reader.finish()
  return result
}

function wide(bytes: Uint8Array, parameters: NbitParameters, elements: number): Uint8Array {
  const { size, highest, count, signExtended, filledWithOnes } = parameters
  if (size !== 8) throw malformed(`N-bit elements of ${size} bytes`)
  const view = new DataView(new ArrayBuffer(elements * size))
  const reader = new BitReader(bytes, 'N-bit values')
  const low = BigInt(highest + 1 - count)
  const above = BigInt.asUintN(64, -(2n ** BigInt(highest + 1)))
  const ones = filledWithOnes ? above | (2n ** low - 1n) : 0n
  for (let i = 0; i < elements; i++) {
    const high = count > 32 ? BigInt(reader.read(count - 32)) << 32n : 0n
    const stored = high | BigInt(reader.read(Math.min(count, 32)))
    let value = (stored << low) | ones
    if (signExtended) value = stored >> BigInt(count - 1) === 1n ? value | above : value & ~above
    view.setBigUint64(8 * i, BigInt.asUintN(64, value))
  }
  reader.finish()
  return new Uint8Array(view.buffer)
}
