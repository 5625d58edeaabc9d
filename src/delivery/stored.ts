import type { ByteRange } from '../bytes/byte-range.ts'
import { type Feed, feedOf, feedOfParts, framedFeed } from '../bytes/feed.ts'
import { malformed, overLimit } from '../errors.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { Source } from '../source/source.ts'
import type { DeliveryWorld } from './delivery.ts'
import { gather, gatheredParts } from './gather.ts'
import { MOST_GATHERED_BYTES, MOST_STORED_BYTES, SMALL_BODY_BYTES } from './limits.ts'

/** A chunk whose bytes lie at known places of a source. */
type RangedRef = Extract<ChunkRef, { readonly kind: 'range' | 'ranges' | 'strided' }>

/** An object whose host has told its size. */
export interface OpenedObject {
  readonly kind: 'opened'
  readonly object: Source
  readonly encoding: number
  /** What its bytes point into, for codecs that read their source again. */
  readonly source: number
}

/** A chunk whose length is known before it is read. */
export type StoredRef = RangedRef | Extract<ChunkRef, { readonly kind: 'inline' }> | OpenedObject

/** Bytes that a chunk takes where it is stored. */
export function storedLength(ref: StoredRef): number {
  switch (ref.kind) {
    case 'inline':
      return ref.bytes.length
    case 'opened':
      return ref.object.size
    case 'range':
      return ref.length
    case 'strided':
      return ref.length * ref.count
    case 'ranges':
      return ref.parts.reduce((length, part) => length + part.length, 0)
  }
}

/** What is sent before and after stored bytes. */
export interface Around {
  readonly first: Uint8Array
  readonly last: Uint8Array
}

/** A part of the stored bytes with something around it: short ones held, longer ones under way. */
export async function storedBody(
  ref: StoredRef,
  wanted: ByteRange,
  around: Around,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | Feed> {
  const { first, last } = around
  const length = first.length + wanted.length + last.length
  const isOneRead = ref.kind !== 'ranges' && ref.kind !== 'strided'
  if (length <= (isOneRead ? SMALL_BODY_BYTES : MOST_GATHERED_BYTES)) {
    const bytes = await storedPart(ref, wanted, world, signal)
    return bytes.length === length ? bytes : new Uint8Array(Buffer.concat([first, bytes, last], length))
  }
  return framedFeed(await storedFeed(ref, wanted, world, signal), first, last)
}

async function storedFeed(
  ref: StoredRef,
  wanted: ByteRange,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Feed> {
  switch (ref.kind) {
    case 'inline':
      return feedOf(ref.bytes.subarray(wanted.offset, wanted.offset + wanted.length))
    case 'opened':
      return await ref.object.feed(wanted, { signal })
    case 'range': {
      const range = { offset: ref.offset + wanted.offset, length: wanted.length }
      return await (await world.source(ref.source, signal)).feed(range, { signal })
    }
    case 'strided':
    case 'ranges':
      return await feedOfParts(gatheredParts(await world.source(ref.source, signal), rangesOf(ref, wanted), signal))
  }
}

async function storedPart(
  ref: StoredRef,
  wanted: ByteRange,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  switch (ref.kind) {
    case 'inline':
      return ref.bytes.subarray(wanted.offset, wanted.offset + wanted.length)
    case 'opened':
      return await ref.object.read(wanted, { signal })
    case 'range': {
      const range = { offset: ref.offset + wanted.offset, length: wanted.length }
      return await (await world.source(ref.source, signal)).read(range, { signal })
    }
    case 'strided':
    case 'ranges': {
      const bytes = new Uint8Array(wanted.length)
      await gather(await world.source(ref.source, signal), rangesOf(ref, wanted), bytes, signal)
      return bytes
    }
  }
}

/** All stored bytes of a chunk in memory, with what its format puts before them. */
export async function storedBytes(ref: StoredRef, world: DeliveryWorld, signal?: AbortSignal): Promise<Uint8Array> {
  const length = storedLength(ref)
  // Nothing decodes from nothing, and an empty answer reads as zeros in some clients (RELIABILITY section 1).
  if (length < 1 && ref.kind === 'opened') throw malformed('a stored chunk is empty', { url: ref.object.url })
  if (length > MOST_STORED_BYTES) {
    throw overLimit(`a stored chunk is ${length} bytes long, at most ${MOST_STORED_BYTES} are recoded`)
  }
  const stored = await storedPart(ref, { offset: 0, length }, world, signal)
  if (ref.kind !== 'range' || ref.prefix === undefined) return stored
  const bytes = new Uint8Array(ref.prefix.length + length)
  bytes.set(ref.prefix)
  bytes.set(stored, ref.prefix.length)
  return bytes
}

/** Where a part of the chunk's bytes lies in the source, in the chunk's order. */
function* rangesOf(ref: Exclude<RangedRef, { readonly kind: 'range' }>, part: ByteRange): Generator<ByteRange> {
  if (ref.kind === 'strided') yield* stridedRanges(ref, part)
  else yield* partRanges(ref.parts, part)
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
