import { malformed, unsupported } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../json/json.ts'
import type { ByteCodec, DecodeContext } from '../codec.ts'
import { integerMember, listMember, numberMember } from '../configuration.ts'
import { type LzmaProperties, parseLzmaProperties } from '../kernels/lzma-decoder.ts'
import { decodeLzma1, decodeLzma2 } from '../kernels/lzma2.ts'
import { Output } from '../kernels/output.ts'
import { decodeXz, FILTER_DELTA, FILTER_LZMA2, isXz, undelta } from '../kernels/xz.ts'

// The numbers of Python's `lzma` module.
const FORMAT_AUTO = 0
const FORMAT_XZ = 1
const FORMAT_ALONE = 2
const FORMAT_RAW = 3
/** 0x4000000000000001, which a double can't tell from its neighbours. */
const FILTER_LZMA1 = 2 ** 62

/** numcodecs' LZMA: an .xz file, an .lzma file, or raw filters that the configuration lists. */
export const numcodecsLzma: ByteCodec = {
  kind: 'bytes',
  name: 'numcodecs.lzma',
  reach: 'native',
  prepare: (configuration) => {
    switch (formatOf(configuration)) {
      case FORMAT_AUTO:
        return { decode: decodeAny }
      case FORMAT_ALONE:
        return { decode: (bytes, context) => decodeAlone(bytes, context.limit) }
      case FORMAT_RAW: {
        const filters = rawFilters(configuration)
        return { decode: (bytes, context) => decodeRaw(bytes, filters, context.limit) }
      }
    }
    return { decode: decodeXz }
  },
}

/** An .xz file or an .lzma file, whichever it begins as. */
export function decodeAny(bytes: Uint8Array, context: DecodeContext): Uint8Array {
  return isXz(bytes) ? decodeXz(bytes, context) : decodeAlone(bytes, context.limit)
}

function formatOf(configuration: JsonObject): number {
  return integerMember(configuration, 'format', { least: FORMAT_AUTO, most: FORMAT_RAW, fallback: FORMAT_XZ })
}

/** The .lzma file: properties, dictionary size, length (all ones when an end mark follows), stream. */
function decodeAlone(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length < 13) throw malformed(`${bytes.length} bytes hold no LZMA header of 13 bytes`)
  const declared = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(5, true)
  const length = declared === 2n ** 64n - 1n ? undefined : Number(declared)
  if (length !== undefined && length > limit) {
    throw malformed(`an LZMA stream says ${length} bytes, at most ${limit} are expected`)
  }
  const output = new Output(limit)
  decodeLzma1(bytes, 13, output, parseLzmaProperties(bytes[0] ?? 255), length)
  return output.done()
}

interface RawFilters {
  readonly deltas: readonly number[]
  /** Undefined for LZMA2, which carries them itself. */
  readonly properties: LzmaProperties | undefined
}

function rawFilters(configuration: JsonObject): RawFilters {
  const filters = listMember(configuration, 'filters')
  const deltas: number[] = []
  for (const [place, filter] of filters.entries()) {
    if (!isJsonObject(filter)) throw malformed('numcodecs.lzma: a filter is not an object')
    const id = numberMember(filter, 'id')
    const isLast = place === filters.length - 1
    if (isLast && id === FILTER_LZMA2) return { deltas, properties: undefined }
    if (isLast && id === FILTER_LZMA1) return { deltas, properties: propertiesOf(filter) }
    if (isLast || id !== FILTER_DELTA) throw unsupported(`lzma filter ${id}`, `LZMA filter ${id} is not decoded`)
    deltas.push(integerMember(filter, 'dist', { least: 1, most: 256, fallback: 1 }))
  }
  throw malformed('numcodecs.lzma: the raw format needs filters')
}

function propertiesOf(filter: JsonObject): LzmaProperties {
  const lc = integerMember(filter, 'lc', { least: 0, most: 4, fallback: 3 })
  const lp = integerMember(filter, 'lp', { least: 0, most: 4, fallback: 0 })
  return { lc, lp, pb: integerMember(filter, 'pb', { least: 0, most: 4, fallback: 2 }) }
}

function decodeRaw(bytes: Uint8Array, { deltas, properties }: RawFilters, limit: number): Uint8Array {
  const output = new Output(limit)
  if (properties === undefined) decodeLzma2(bytes, 0, output)
  else decodeLzma1(bytes, 0, output, properties, undefined)
  const content = output.done()
  for (const distance of deltas.toReversed()) undelta(content, distance)
  return content
}
