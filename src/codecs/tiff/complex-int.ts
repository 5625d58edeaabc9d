// TIFF technical note on complex samples (SampleFormat 5): two signed integers a sample, which Zarr has no type for.
import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import type { SerialCodec } from '../codec.ts'
import { integerMember, wordMember } from '../configuration.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { bytesOf, castNumbers, numbersOf } from '../numbers.ts'
import { surplusOfBlock } from './rows.ts'

const BITS = { least: 16, most: 64 }

/** Complex integers of 16, 32 or 64 bits (both parts together) as complex floats, exactly. */
export const tiffComplexInt: SerialCodec = {
  kind: 'serial',
  name: 'vz.tiff-complex-int',
  reach: 'internal',
  check: (configuration) => {
    partBits(integerMember(configuration, 'bits', BITS))
    wordMember(configuration, 'endian', ['little', 'big'], 'little')
  },
  surplus: (layout, configuration) =>
    surplusOfBlock((elementCount(layout.shape) * integerMember(configuration, 'bits', BITS)) / 8, configuration),
  decode: (bytes, layout, configuration) => {
    const bits = integerMember(configuration, 'bits', BITS)
    const part = { kind: 'int', bits: partBits(bits) } as const
    if (layout.dataType.kind !== 'complex') throw malformed('vz.tiff-complex-int: decodes to complex numbers only')
    const size = layout.dataType.bits === 64 ? 32 : 64
    const length = (elementCount(layout.shape) * bits) / 8
    if (bytes.length < length) throw malformed(`a block decodes to ${bytes.length} bytes, expected ${length}`)
    const stored = bytes.subarray(0, length)
    const isBig = configuration['endian'] === 'big'
    const numbers = numbersOf(isBig ? swapBytes(stored, part) : stored, part)
    return { kind: 'fixed', bytes: castNumbers(bytesOf(numbers), part, { kind: 'float', bits: size }) }
  },
}

function partBits(bits: number): 8 | 16 | 32 {
  if (bits === 16 || bits === 32 || bits === 64) return (bits / 2) as 8 | 16 | 32
  throw malformed(`vz.tiff-complex-int: complex integers of ${bits} bits are not defined`)
}
