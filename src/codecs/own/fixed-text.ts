import { isAscii } from 'node:buffer'
import { anyText } from '../../bytes/text.ts'
import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { requireInteger } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { internalArray } from '../internal.ts'

/**
 * Text of fixed length read as text of any length: what a portable store serves instead of fixed text. `padding` says how
 * bytes end: filled up with NULs (`nul`), ended by the first NUL (`terminated`), filled up with blanks (`space`). Where the
 * decoded type is fixed text too, only the padding becomes NULs.
 */
export const fixedText = internalArray<TextParameters>({
  name: 'vz.text',
  prepare: ({ encoding, length, padding = 'nul' }, { shape, dataType }) => {
    requireInteger('length', length, 0, 2 ** 31)
    const count = elementCount(shape)
    return {
      encodedLayout: { shape, dataType: { kind: 'fixed-text', encoding, length } },
      decode: (elements) => {
        const bytes = fixedBytes(elements, 'vz.text')
        if (dataType.kind === 'fixed-text') return { kind: 'fixed', bytes: padded(bytes, count, length, padding) }
        const textOf = encoding === 'utf-32' ? utf32Text : textReader(bytes, padding)
        const values = new Array<string>(count)
        for (let i = 0; i < count; i++) values[i] = textOf(bytes, i * length, (i + 1) * length)
        return { kind: 'text', values }
      },
    }
  },
})

interface TextParameters {
  readonly encoding: 'utf-32' | 'bytes'
  /** Bytes of an element. */
  readonly length: number
  readonly padding?: TextPadding
}

/** How text shorter than its bytes ends. */
export type TextPadding = 'nul' | 'terminated' | 'space'

/** The bytes that are text. */
export function withoutPadding(bytes: Uint8Array, padding: TextPadding): Uint8Array {
  return bytes.subarray(0, textEnd(bytes, 0, bytes.length, padding))
}

/** Where the text ends that lies between two places. */
function textEnd(bytes: Uint8Array, from: number, to: number, padding: TextPadding): number {
  if (padding === 'terminated') {
    let end = from
    while (end < to && bytes[end] !== 0) end++
    return end
  }
  // NULs at the end are padding there too: writers leave them in what was never set.
  const filler = padding === 'space' ? 32 : 0
  let end = to
  while (end > from && (bytes[end - 1] === filler || bytes[end - 1] === 0)) end--
  return end
}

/** Reads texts out of these bytes. Where all are ASCII, as nearly always, a text costs nothing but itself. */
function textReader(all: Uint8Array, padding: TextPadding): (bytes: Uint8Array, from: number, to: number) => string {
  const buffer = Buffer.from(all.buffer, all.byteOffset, all.byteLength)
  if (isAscii(all)) return (bytes, from, to) => buffer.toString('latin1', from, textEnd(bytes, from, to, padding))
  return (bytes, from, to) => anyText(bytes.subarray(from, textEnd(bytes, from, to, padding)))
}

function padded(bytes: Uint8Array, count: number, length: number, padding: TextPadding): Uint8Array {
  const result = new Uint8Array(count * length)
  for (let at = 0; at < result.length; at += length) {
    result.set(withoutPadding(bytes.subarray(at, at + length), padding), at)
  }
  return result
}

/** Little-endian code points; like numpy, only NULs at the end are padding. */
function utf32Text(bytes: Uint8Array, from: number, to: number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = to - ((to - from) % 4)
  while (end > from && view.getUint32(end - 4, true) === 0) end -= 4
  let text = ''
  for (let at = from; at < end; at += 4) {
    const point = view.getUint32(at, true)
    if (point > 0x10ffff) throw malformed(`${point} is no character, expected UTF-32`)
    text += String.fromCodePoint(point)
  }
  return text
}
