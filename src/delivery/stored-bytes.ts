import type { ByteRange } from '../bytes/byte-range.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'

/** A chunk whose bytes lie at known places of a source. */
export type RangedRef = Extract<ChunkRef, { readonly kind: 'range' | 'ranges' | 'strided' }>

/** Bytes that a chunk takes in its source. */
export function storedLength(ref: RangedRef): number {
  switch (ref.kind) {
    case 'range':
      return ref.length
    case 'strided':
      return ref.length * ref.count
    case 'ranges':
      return ref.parts.reduce((length, part) => length + part.length, 0)
  }
}

/** Where a part of the chunk's bytes lies in the source, in the chunk's order. */
export function* rangesOf(ref: RangedRef, part: ByteRange): Generator<ByteRange> {
  switch (ref.kind) {
    case 'range':
      if (part.length > 0) yield { offset: ref.offset + part.offset, length: part.length }
      return
    case 'strided':
      return yield* stridedRanges(ref, part)
    case 'ranges':
      return yield* partRanges(ref.parts, part)
  }
}

function* stridedRanges(ref: RangedRef & { readonly kind: 'strided' }, part: ByteRange): Generator<ByteRange> {
  if (ref.length === 0) return
  const end = part.offset + part.length
  for (let at = part.offset; at < end; ) {
    const within = at % ref.length
    const length = Math.min(ref.length - within, end - at)
    yield { offset: ref.offset + Math.floor(at / ref.length) * ref.stride + within, length }
    at += length
  }
}

function* partRanges(parts: readonly ByteRange[], wanted: ByteRange): Generator<ByteRange> {
  let start = 0
  for (const part of parts) {
    const from = Math.max(wanted.offset - start, 0)
    const to = Math.min(wanted.offset + wanted.length - start, part.length)
    if (to > from) yield { offset: part.offset + from, length: to - from }
    start += part.length
  }
}
