import { utf8Text } from '../../bytes/text.ts'
import { malformed } from '../../errors.ts'
import type { DataType } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { ChunkLayout, SerialCodec } from '../codec.ts'

/** Text of varying length: a count, then a length and UTF-8 bytes for each (little-endian 32-bit numbers). */
export const vlenUtf8: SerialCodec = {
  kind: 'serial',
  name: 'vlen-utf8',
  reach: 'portable',
  writes: true,
  prepare: (_configuration, layout) => {
    requireKind('vlen-utf8', 'string', layout)
    return {
      decode: (bytes) => ({
        kind: 'text',
        values: splitItems(bytes, layout, (item) => {
          const text = utf8Text(item)
          if (text === undefined) throw malformed('vlen-utf8 holds bytes that are not UTF-8')
          return text
        }),
      }),
      encode: (elements) => {
        if (elements.kind !== 'text') throw malformed(`vlen-utf8 writes text, not ${elements.kind} values`)
        return joinTexts(elements.values)
      },
    }
  },
}

/** The bytes of text in `vlen-utf8`. Millions of short texts are usual: none becomes an object of its own on the way. */
export function joinTexts(texts: readonly string[]): Uint8Array {
  const bytes = Buffer.alloc(texts.reduce((length, text) => length + 4 + Buffer.byteLength(text), 4))
  bytes.writeUInt32LE(texts.length, 0)
  let at = 4
  for (const text of texts) {
    const length = bytes.write(text, at + 4)
    bytes.writeUInt32LE(length, at)
    at += 4 + length
  }
  return bytes
}

/** Byte strings of varying length, laid out like `vlen-utf8`. */
export const vlenBytes: SerialCodec = {
  kind: 'serial',
  name: 'vlen-bytes',
  reach: 'native',
  writes: true,
  prepare: (_configuration, layout) => {
    requireKind('vlen-bytes', 'bytes', layout)
    return {
      decode: (bytes) => ({ kind: 'blobs', values: splitItems(bytes, layout, (item) => item) }),
      encode: (elements) => {
        if (elements.kind !== 'blobs') throw malformed(`vlen-bytes writes byte strings, not ${elements.kind} values`)
        return joinItems(elements.values)
      },
    }
  },
}

function requireKind(codec: string, kind: DataType['kind'], { dataType }: ChunkLayout): void {
  if (dataType.kind !== kind) throw malformed(`codec ${codec} does not encode elements of ${dataType.kind}`)
}

function splitItems<Item>(bytes: Uint8Array, layout: ChunkLayout, read: (item: Uint8Array) => Item): Item[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const expected = elementCount(layout.shape)
  const count = bytes.length < 4 ? -1 : view.getUint32(0, true)
  if (count !== expected || bytes.length < 4 + 4 * count) {
    throw malformed(`a chunk of ${bytes.length} bytes says it holds ${count} items, expected ${expected}`)
  }
  const items = new Array<Item>(count)
  let at = 4
  for (let i = 0; i < count; i++) {
    const length = at + 4 <= bytes.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY
    if (length > bytes.length - at - 4) throw malformed(`item ${i} of a chunk runs past its end`, { offset: at })
    items[i] = read(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return items
}

function joinItems(items: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(items.reduce((length, item) => length + 4 + item.length, 4))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, items.length, true)
  let at = 4
  for (const item of items) {
    view.setUint32(at, item.length, true)
    bytes.set(item, at + 4)
    at += 4 + item.length
  }
  return bytes
}
