// TIFF technical note on complex samples (SampleFormat 5): two signed integers a sample, which Zarr has no type for.
import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { internalSerial } from '../internal.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { bytesOf, castNumbers, numbersOf } from '../numbers.ts'
import { type Block, surplusOfBlock } from './rows.ts'

/** Complex integers of 16, 32 or 64 bits (both parts together) as complex floats, exactly. */
export const tiffComplexInt = internalSerial<ComplexParameters>({
  name: 'vz.tiff-complex-int',
  prepare: ({ bits, endian, block }, { shape, dataType }) => {
    const part = { kind: 'int', bits: partBits(bits) } as const
    if (dataType.kind !== 'complex') throw malformed('vz.tiff-complex-int: decodes to complex numbers only')
    const target = { kind: 'float', bits: dataType.bits === 64 ? 32 : 64 } as const
    const length = (elementCount(shape) * bits) / 8
    return {
      surplus: surplusOfBlock(length, block),
      decode: (bytes) => {
        if (bytes.length < length) throw malformed(`a block decodes to ${bytes.length} bytes, expected ${length}`)
        const stored = bytes.subarray(0, length)
        const numbers = numbersOf(endian === 'big' ? swapBytes(stored, part) : stored, part)
        return { kind: 'fixed', bytes: castNumbers(bytesOf(numbers), part, target) }
      },
    }
  },
})

interface ComplexParameters extends Block {
  readonly bits: number
  readonly endian: Endian
}

function partBits(bits: number): 8 | 16 | 32 {
  if (bits === 16 || bits === 32 || bits === 64) return (bits / 2) as 8 | 16 | 32
  throw malformed(`vz.tiff-complex-int: complex integers of ${bits} bits are not defined`)
}
