import type { ByteRange } from '../bytes/byte-range.ts'
import { type Feed, feedOfParts, framedFeed } from '../bytes/feed.ts'
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
  if (ref.kind === 'inline') return framed(ref.bytes.subarray(wanted.offset, wanted.offset + wanted.length), around)
  const { first, last } = around
  const length = first.length + wanted.length + last.length
  const isOneRead = ref.kind === 'range' || ref.kind === 'opened'
  const found = sourceOf(ref, world, signal)
  const source = found instanceof Promise ? await found : found
  const isHeld = length <= (isOneRead ? SMALL_BODY_BYTES : MOST_GATHERED_BYTES)
  if (isHeld) return framed(await readPart(ref, wanted, source, signal), around)
  return framedFeed(await feedPart(ref, wanted, source, signal), first, last)
}

function framed(bytes: Uint8Array, { first, last }: Around): Uint8Array {
  if (first.length + last.length === 0) return bytes
  const whole = new Uint8Array(first.length + bytes.length + last.length)
  whole.set(first)
  whole.set(bytes, first.length)
  whole.set(last, first.length + bytes.length)
  return whole
}

/** All stored bytes of a chunk in memory, with what its format puts before them. */
export async function storedBytes(ref: StoredRef, world: DeliveryWorld, signal?: AbortSignal): Promise<Uint8Array> {
  const length = storedLength(ref)
  // Nothing decodes from nothing, and an empty answer reads as zeros in some clients (BYTES-4).
  if (length < 1 && ref.kind === 'opened') throw malformed('a stored chunk is empty', { url: ref.object.url })
  if (length > MOST_STORED_BYTES) {
    throw overLimit(`a stored chunk is ${length} bytes long, at most ${MOST_STORED_BYTES} are recoded`)
  }
  if (ref.kind === 'inline') return ref.bytes
  const found = sourceOf(ref, world, signal)
  const source = found instanceof Promise ? await found : found
  const stored = await readPart(ref, { offset: 0, length }, source, signal)
  return ref.kind === 'range' ? prefixed(ref, stored) : stored
}

/** The stored bytes of a chunk behind what its format puts before them. */
export function prefixed({ prefix }: Extract<ChunkRef, { readonly kind: 'range' }>, stored: Uint8Array): Uint8Array {
  return prefix === undefined ? stored : framed(stored, { first: prefix, last: new Uint8Array(0) })
}

/** A chunk that must be read. */
type ReadRef = Exclude<StoredRef, { readonly kind: 'inline' }>

/** No promise where it is open already. */
function sourceOf(ref: ReadRef, world: DeliveryWorld, signal: AbortSignal | undefined): Source | Promise<Source> {
  if (ref.kind === 'opened') return ref.object
  return world.source(ref.source, signal, ref.kind === 'range' ? ref.key : undefined)
}

function feedPart(ref: ReadRef, wanted: ByteRange, source: Source, signal: AbortSignal | undefined): Promise<Feed> {
  switch (ref.kind) {
    case 'opened':
      return source.feed(wanted, { signal })
    case 'range':
      return source.feed({ offset: ref.offset + wanted.offset, length: wanted.length }, { signal })
    case 'strided':
    case 'ranges':
      return feedOfParts(gatheredParts(source, rangesOf(ref, wanted), signal))
  }
}

function readPart(
  ref: ReadRef,
  wanted: ByteRange,
  source: Source,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  switch (ref.kind) {
    case 'opened':
      return source.read(wanted, { signal })
    case 'range':
      return source.read({ offset: ref.offset + wanted.offset, length: wanted.length }, { signal })
    case 'strided':
    case 'ranges':
      return gather(source, rangesOf(ref, wanted), wanted.length, signal)
  }
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
