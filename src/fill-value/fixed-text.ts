import type { DataType, Scalar } from '../model/data-type.ts'

export type FixedText = Extract<DataType, { readonly kind: 'fixed-text' }>

/** Text as a scalar of a UTF-32 type, which knows no trailing NUL; undefined when it is too long. */
export function stringScalar(text: string, type: FixedText): Scalar | undefined {
  const value = withoutTrailingNuls(text)
  let points = 0
  for (const _ of value) points++
  return points * 4 <= type.length ? { kind: 'string', value } : undefined
}

/** Bytes as a scalar of a type padded with NUL; undefined when they are too long. */
export function bytesScalar(bytes: Uint8Array, type: FixedText): Scalar | undefined {
  const value = withoutPadding(bytes)
  return value.length <= type.length ? { kind: 'bytes', value } : undefined
}

/** A copy without the NULs at the end: a scalar outlives the buffer it was read from. */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.slice(0, end)
}

function withoutTrailingNuls(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--
  return text.slice(0, end)
}

/** UTF-32 code points as text; undefined when one of them is none. */
export function fromUtf32(bytes: Uint8Array, endian: 'little' | 'big'): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const characters: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, endian === 'little')
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined
    characters.push(String.fromCodePoint(point))
  }
  return withoutTrailingNuls(characters.join(''))
}
