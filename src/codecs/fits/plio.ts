// FITS Standard 4.0, section 10.4.3: PLIO, the line lists of IRAF's pixel masks.

import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { internalSerial, type NoParameters } from '../internal.ts'
import { bytesOf, mapInto, zeroNumbers } from '../numbers.ts'

/** Runs of one value: 16-bit words, big-endian, of a 4-bit instruction and 12 bits of data. */
export const fitsPlio = internalSerial<NoParameters>({
  name: 'vz.fits-plio',
  prepare: (_parameters, { shape, dataType }) => {
    const count = elementCount(shape)
    return {
      decode: (bytes) => {
        const pixels = decode(bytes, count)
        return { kind: 'fixed', bytes: bytesOf(mapInto(zeroNumbers(count, dataType), (i) => pixels[i] ?? 0)) }
      },
    }
  },
})

/** A line list: the version in word 2, and the length of the rest. */
function wordsOf(bytes: Uint8Array): { readonly first: number; readonly end: number; word(at: number): number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = bytes.length >> 1
  const word = (at: number) => {
    if (at < count) return view.getInt16(2 * at)
    throw malformed(`a PLIO line list of ${count} words ends too early`)
  }
  // Old lists say their length in the third word, new ones in two words behind the length of their header.
  const isOld = word(2) > 0
  const first = isOld ? 3 : word(1)
  const end = isOld ? word(2) : word(4) * 32_768 + word(3)
  if (first < 3 || end > count) throw malformed(`a PLIO line list of ${count} words says it has ${end}`)
  return { first, end, word }
}

function decode(bytes: Uint8Array, count: number): Int32Array {
  const pixels = new Int32Array(count)
  const { first, end, word } = wordsOf(bytes)
  let value = 1
  let at = 0
  for (let place = first; place < end && at < count; place++) {
    const instruction = word(place)
    const opcode = instruction >> 12
    const data = instruction & 0xfff
    switch (opcode) {
      case 0:
        at += data
        break
      case 4:
        pixels.fill(value, at, at + data)
        at += data
        break
      case 5:
        at += data
        if (data > 0 && at <= count) pixels[at - 1] = value
        break
      case 1:
        value = word(++place) * 4096 + data
        break
      case 2:
      case 6:
        value += data
        break
      case 3:
      case 7:
        value -= data
        break
      default:
        throw malformed(`PLIO instruction ${opcode} is not defined (0 to 7)`)
    }
    if (opcode >= 6) pixels[at++] = value
  }
  return pixels
}
