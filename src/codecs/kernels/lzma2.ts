import { malformed } from '../../errors.ts'
import { LzmaDecoder, type LzmaProperties, parseLzmaProperties } from './lzma-decoder.ts'
import { RangeDecoder } from './lzma-range.ts'
import type { Output } from './output.ts'

const MOST_LITERAL_BITS = 4

/** Decodes LZMA2 chunks from a position (xz file format, section 5.3.1); returns the position after the last. */
export function decodeLzma2(bytes: Uint8Array, from: number, output: Output): number {
  let at = from
  let start = output.length
  let properties: LzmaProperties | undefined
  let decoder: LzmaDecoder | undefined
  for (;;) {
    const control = byteAt(bytes, at)
    if (control === 0) return at + 1
    if (control === 1 || control >= 0xe0) {
      start = output.length
      properties = undefined
      decoder = undefined
    }
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
    if (control >= 0xc0) properties = smallProperties(byteAt(bytes, body++))
    if (properties === undefined) throw malformed('an LZMA2 chunk has no properties yet', { offset: at })
    if (control >= 0xa0) decoder = new LzmaDecoder(output, properties, start)
    if (decoder === undefined) throw malformed('an LZMA2 chunk goes on with a state that was never set', { offset: at })
    if (packed > bytes.length - body) throw malformed('an LZMA2 chunk runs past the end', { offset: at })
    output.reserve(length)
    const range = new RangeDecoder(bytes.subarray(body, body + packed), 0)
    decoder.decode(range, output.length + length)
    if (!range.isFinished) throw malformed('an LZMA2 chunk is longer than what it holds', { offset: at })
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

/** Those of LZMA2 are few (xz file format, section 5.3.1): a chunk of some bytes may bring new ones, and tables of megabytes with them. */
function smallProperties(byte: number): LzmaProperties {
  const properties = parseLzmaProperties(byte)
  if (properties.lc + properties.lp <= MOST_LITERAL_BITS) return properties
  throw malformed(`an LZMA2 chunk has ${properties.lc} + ${properties.lp} literal bits, at most ${MOST_LITERAL_BITS}`)
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw malformed(`an LZMA2 stream of ${bytes.length} bytes ends too early`)
  return byte
}

function wordAt(bytes: Uint8Array, at: number): number {
  return byteAt(bytes, at) * 256 + byteAt(bytes, at + 1)
}
