import { malformed } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import type { DataType } from '../model/data-type.ts'
import type { ArrayCodec } from './codec.ts'
import { integerMember, wordMember } from './configuration.ts'
import { elementCount, fixedBytes } from './elements.ts'
import { anyText } from './utf8.ts'

/** Text of fixed length read as text of any length: what a portable store serves instead of fixed text. */
export const fixedText: ArrayCodec = {
  kind: 'array',
  name: 'vz.text',
  reach: 'internal',
  check: (configuration) => {
    storedType(configuration)
  },
  encodedLayout: (layout, configuration) => ({ shape: layout.shape, dataType: storedType(configuration) }),
  decode: (elements, layout, configuration) => {
    const bytes = fixedBytes(elements, 'vz.text')
    const { encoding, length } = storedType(configuration)
    const values = new Array<string>(elementCount(layout.shape))
    for (let i = 0; i < values.length; i++) {
      const item = bytes.subarray(i * length, (i + 1) * length)
      values[i] = encoding === 'utf-32' ? utf32Text(item) : anyText(withoutPadding(item))
    }
    return { kind: 'text', values }
  },
}

function storedType(configuration: JsonObject): DataType & { readonly kind: 'fixed-text' } {
  return {
    kind: 'fixed-text',
    encoding: wordMember(configuration, 'encoding', ['utf-32', 'bytes']),
    length: integerMember(configuration, 'length', { least: 0, most: 2 ** 31 }),
  }
}

function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}

/** Little-endian code points; like numpy, only NULs at the end are padding. */
export function utf32Text(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - (bytes.length % 4)
  while (end > 0 && view.getUint32(end - 4, true) === 0) end -= 4
  let text = ''
  for (let at = 0; at < end; at += 4) {
    const point = view.getUint32(at, true)
    if (point > 0x10ffff) throw malformed(`${point} is no character, expected UTF-32`)
    text += String.fromCodePoint(point)
  }
  return text
}
