// LERC2 by wasm/lerc.ts, and by the package lerc: Esri's own decoder.

import { Cursor } from '../../bytes/cursor.ts'
import { latin1Text } from '../../bytes/text.ts'
import { malformed, unsupported } from '../../errors.ts'
import { chunkMemory } from './chunk-memory.ts'
import { lercKernels } from './wasm/lerc.ts'
import { decodeOrEnd } from './wasm-decoder.ts'

/** A decoded blob: bands, each with the values of a pixel side by side. */
export interface LercPicture {
  readonly depth: number
  readonly bands: readonly LercBand[]
}

export interface LercBand {
  /** Packed, little-endian. */
  readonly bytes: Uint8Array
  /** A byte a pixel, 0 where it holds nothing; undefined when all do. */
  readonly valid: Uint8Array | undefined
}

export interface LercHeader {
  readonly version: number
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly blobBytes: number
  readonly type: LercType
}

const TYPES = ['S8', 'U8', 'S16', 'U16', 'S32', 'U32', 'F32', 'F64'] as const

export type LercType = (typeof TYPES)[number]

/** Bytes of a value. */
const SIZES: Readonly<Record<LercType, number>> = { S8: 1, U8: 1, S16: 2, U16: 2, S32: 4, U32: 4, F32: 4, F64: 8 }

const MAGIC = 'Lerc2 '

/** The header of the first band (LERC2, versions 2 to 6). */
export function lercHeader(bytes: Uint8Array): LercHeader {
  const cursor = new Cursor(bytes, 'little')
  if (latin1Text(cursor.take(MAGIC.length)) !== MAGIC) {
    throw unsupported('LERC before version 2', 'a block is no LERC2 blob')
  }
  const version = cursor.i32()
  if (version < 1 || version > 6)
    throw unsupported(`LERC2 version ${version}`, `LERC2 version ${version} is not decoded`)
  if (version >= 3) cursor.skip(4)
  const height = cursor.u32()
  const width = cursor.u32()
  const depth = version >= 4 ? cursor.u32() : 1
  cursor.skip(8)
  const blobBytes = cursor.u32()
  const type = TYPES[cursor.u32()]
  if (type === undefined) throw malformed('a LERC blob has an unknown data type')
  return { version, width, height, depth, blobBytes, type }
}

/**
 * Decodes all bands, of `most` values a pixel together; the caller has checked the size that the header claims. What blobs of most
 * writers hold is decoded by wasm/lerc.ts, four times as fast as by the package: that is asked for all else.
 */
export async function decodeLerc(bytes: Uint8Array, most: number): Promise<LercPicture> {
  return decodeOwn(bytes, most) ?? (await decodeOther(bytes))
}

// What numbers of the kernel mean.
const MASKED = 1
const DAMAGED = -1

/** Vectors are read beyond the end of a region. */
const MARGIN = 16

/** Blobs of versions 3 and 4, without Huffman codes; undefined for others. */
function decodeOwn(bytes: Uint8Array, most: number): LercPicture | undefined {
  const header = lercHeader(bytes)
  const { width, height, depth, type } = header
  const pixels = width * height
  const length = pixels * depth * SIZES[type]
  return lercKernels.use(
    [bytes.length + MARGIN, length + MARGIN, pixels + MARGIN],
    (kernels, memory, source, target, mask) => {
      memory.set(bytes, source)
      const bands: LercBand[] = []
      for (let at = 0; isBlob(bytes, at); ) {
        const next = lercHeader(bytes.subarray(at))
        if (next.version < 3 || next.version > 4) return undefined
        const isAlike = next.width === width && next.height === height && next.depth === depth && next.type === type
        if (!isAlike || (bands.length + 1) * depth > most)
          throw malformed('the bands of a LERC block are not alike, or too many')
        const result = kernels.decodeBlob(source + at, source + bytes.length, target, mask)
        if (result === DAMAGED) throw malformed('a LERC block is damaged')
        if (result < 0) return undefined
        const valid = result === MASKED ? chunkMemory.copyOf(memory.subarray(mask, mask + pixels)) : undefined
        bands.push({ bytes: chunkMemory.copyOf(memory.subarray(target, target + length)), valid })
        at += next.blobBytes
      }
      return { depth, bands }
    },
  )
}

function isBlob(bytes: Uint8Array, at: number): boolean {
  return latin1Text(bytes.subarray(at, at + MAGIC.length)) === MAGIC
}

async function decodeOther(bytes: Uint8Array): Promise<LercPicture> {
  const { decode, load } = await import('lerc')
  await load()
  return decodeOrEnd('a LERC block', () => {
    const { pixels, mask, bandMasks, depthCount } = refusals(() =>
      decode(new Uint8Array(bytes).buffer, { returnInterleaved: true }),
    )
    const bands = pixels.map(({ buffer, byteOffset, byteLength }, band) => ({
      bytes: new Uint8Array(buffer, byteOffset, byteLength),
      valid: bandMasks?.[band] ?? mask ?? undefined,
    }))
    return { depth: depthCount, bands }
  })
}

/** The decoder answers with an error code, of which the package makes an error of this text. */
function refusals<Value>(decode: () => Value): Value {
  try {
    return decode()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : ''
    if (!message.startsWith('lerc-')) throw cause
    throw malformed(`a LERC block is damaged: ${message}`, {}, cause)
  }
}
