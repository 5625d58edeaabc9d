// LERC2 by the package lerc: Esri's own decoder.

import { Cursor } from '../../bytes/cursor.ts'
import { latin1Text } from '../../bytes/text.ts'
import { malformed, unsupported } from '../../errors.ts'
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

/** Decodes all bands, of `maxSamples` values a pixel together; the caller has checked the size that the first header claims. */
export async function decodeLerc(bytes: Uint8Array, maxSamples: number): Promise<LercPicture> {
  requireAlikeBands(bytes, maxSamples)
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

/** Memory is taken for as many bands of the first one's size as there are blobs. */
function requireAlikeBands(bytes: Uint8Array, maxSamples: number): void {
  const { width, height, depth, type } = lercHeader(bytes)
  for (let at = 0, samples = depth; isBlob(bytes, at); samples += depth) {
    const band = lercHeader(bytes.subarray(at))
    const isAlike = band.width === width && band.height === height && band.depth === depth && band.type === type
    if (!isAlike) throw malformed('the bands of a LERC block are not alike')
    if (samples > maxSamples) throw malformed(`a LERC block has ${samples} samples, expected ${maxSamples}`)
    if (band.blobBytes < MAGIC.length) throw malformed(`a LERC block has a band of ${band.blobBytes} bytes`)
    at += band.blobBytes
  }
}

function isBlob(bytes: Uint8Array, at: number): boolean {
  return latin1Text(bytes.subarray(at, at + MAGIC.length)) === MAGIC
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
