import { malformed } from '../../errors.ts'
import { LzmaDecoder, type LzmaProperties, parseLzmaProperties } from './lzma-decoder.ts'
import { RangeDecoder } from './lzma-range.ts'
import type { Output } from './output.ts'

/** Decodes LZMA2 chunks from a position (xz file format, section 5.3.1); returns the position after the last. */
export function decodeLzma2(bytes: Uint8Array, from: number, output: Output): number {
  let at = from
  let start = output.length
  let properties: LzmaProperties | undefined
  let decoder: LzmaDecoder | undefined
  for (;;) {
    const control = byteAt(bytes, at)
    if (control === 0) return at + 1
    if (control === 1 || control >= 0xe0) start = output.length
    if (control < 0x80) {
      if (control > 2) throw malformed(`an LZMA2 chunk begins with ${control}, which is not defined`, { offset: at })
      const length = wordAt(bytes, at + 1) + 1
      if (length > bytes.length - at - 3) throw malformed('an LZMA2 chunk runs past the end', { offset: at })
      output.append(bytes.subarray(at + 3, at + 3 + length))
      at += 3 + length
      continue
    }
    const length = ((control & 31) << 16) + wordAt(bytes, at + 1) + 1
    const packed = wordAt(bytes, at + 3) + 1
    let body = at + 5
    if (control >= 0xc0) properties = parseLzmaProperties(byteAt(bytes, body++))
    if (properties === undefined) throw malformed('the first LZMA2 chunk has no properties', { offset: at })
    if (control >= 0xa0) decoder = new LzmaDecoder(output, properties, start)
    if (decoder === undefined) throw malformed('the first LZMA2 chunk does not reset the state', { offset: at })
    if (packed > bytes.length - body) throw malformed('an LZMA2 chunk runs past the end', { offset: at })
    output.reserve(length)
    decoder.decode(new RangeDecoder(bytes.subarray(body, body + packed), 0), output.length + length)
    at = body + packed
  }
}

/** Decodes one LZMA stream of known or unknown length. */
export function decodeLzma1(
  bytes: Uint8Array,
  from: number,
  output: Output,
  properties: LzmaProperties,
  length: number | undefined,
): void {
  const range = new RangeDecoder(bytes, from)
  const decoder = new LzmaDecoder(output, properties, output.length)
  decoder.decode(range, length === undefined ? undefined : output.length + length)
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw malformed(`an LZMA2 stream of ${bytes.length} bytes ends too early`)
  return byte
}

function wordAt(bytes: Uint8Array, at: number): number {
  return byteAt(bytes, at) * 256 + byteAt(bytes, at + 1)
}
