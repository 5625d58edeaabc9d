import type { ChunkLayout, Elements } from '../../src/codecs/codec.ts'
import { decodeChunk, encodeElements } from '../../src/codecs/decode.ts'
import type { JsonObject } from '../../src/json/json.ts'
import type { DataType, Scalar } from '../../src/model/data-type.ts'
import type { StoredCodec } from '../../src/model/encoding.ts'

export const INT16: DataType = { kind: 'int', bits: 16 }
export const UINT8: DataType = { kind: 'uint', bits: 8 }
export const FLOAT64: DataType = { kind: 'float', bits: 64 }
export const LITTLE = codec('bytes', { endian: 'little' })
export const BIG = codec('bytes', { endian: 'big' })

export function codec(name: string, configuration: JsonObject = {}): StoredCodec {
  return { name, configuration }
}

export function layoutOf(dataType: DataType, ...shape: number[]): ChunkLayout {
  return { shape, dataType }
}

/** Decodes with a generous limit. */
export async function decode(
  stored: Uint8Array,
  encoding: readonly StoredCodec[],
  layout: ChunkLayout,
  options: { readonly limit?: number; readonly fillValue?: Scalar } = {},
): Promise<Elements> {
  return await decodeChunk(stored, encoding, layout, { limit: 2 ** 24, ...options })
}

/** Little-endian bytes of fixed-size elements, as hexadecimal digits. */
export async function decodedHex(...input: Parameters<typeof decode>): Promise<string> {
  const elements = await decode(...input)
  if (elements.kind !== 'fixed') throw new Error(`decoded to ${elements.kind}`)
  return Buffer.from(elements.bytes).toString('hex')
}

/** Encodes little-endian bytes. */
export function encode(bytes: Uint8Array, encoding: readonly StoredCodec[], layout: ChunkLayout): Buffer {
  return Buffer.from(encodeElements({ kind: 'fixed', bytes }, encoding, layout))
}
