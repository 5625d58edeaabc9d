import { malformed, unsupported } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import type { Encoding, StoredCodec } from '../model/encoding.ts'
import type { ArrayCodec, ByteCodec, Codec, Reach, SerialCodec } from './codec.ts'
import { requireFinite } from './configuration.ts'
import { findCodec } from './registry.ts'

/** A codec with what it was configured with. */
export interface Step<Kind extends Codec> {
  readonly codec: Kind
  readonly configuration: JsonObject
}

/** An encoding with its codecs found and its order checked; every list runs from the array outward. */
export interface Pipeline {
  readonly arrays: readonly Step<ArrayCodec>[]
  readonly serial: Step<SerialCodec>
  /** Codecs of the encoding up to here: two where the one that makes bytes stands behind `bytes`. */
  readonly headLength: number
  readonly bytes: readonly Step<ByteCodec>[]
}

/** Finds the codecs of an encoding; `unsupported-feature` names one that is not known, `malformed-source` what makes no sense. */
export function resolveEncoding(encoding: Encoding): Pipeline {
  const arrays: Step<ArrayCodec>[] = []
  const bytes: Step<ByteCodec>[] = []
  let serial: Step<SerialCodec> | undefined
  let headLength = 0
  for (const { name, configuration } of encoding) requireFinite(name, configuration)
  for (const { name, configuration } of encoding) {
    const codec = requireCodec(name)
    codec.check?.(configuration, resolveEncoding)
    if (codec.kind === 'array' && serial === undefined) arrays.push({ codec, configuration })
    else if (codec.kind === 'bytes' && serial !== undefined) bytes.push({ codec, configuration })
    else if (codec.kind === 'serial' && bytes.length === 0 && isInPlace(codec, serial)) {
      serial = { codec, configuration: { ...configuration, ...orderOf(serial) } }
    } else throw malformed(`codec ${name} is out of order: array codecs, then one that makes bytes, then byte codecs`)
    if (bytes.length === 0) headLength++
  }
  if (serial === undefined) throw malformed('an encoding has no codec that makes bytes of the array')
  return { arrays, serial, headLength, bytes }
}

/** One codec makes bytes, or one behind `bytes`. */
function isInPlace({ behindBytes }: SerialCodec, before: Step<SerialCodec> | undefined): boolean {
  return behindBytes === true ? before?.codec.name === 'bytes' : before === undefined
}

/** The order of bytes that clients find in what a codec behind `bytes` gives them. */
function orderOf(bytes: Step<SerialCodec> | undefined): JsonObject {
  return bytes === undefined ? {} : { endian: bytes.configuration['endian'] ?? 'little' }
}

/** The codec of this name, or `unsupported-feature`. */
function requireCodec(name: string): Codec {
  const codec = findCodec(name)
  if (codec === undefined) throw unsupported(`codec ${name}`, `codec ${name} is not decoded by this server`)
  return codec
}

/** Who can decode this step. */
export function reachOf(stored: StoredCodec): Reach {
  const { reach } = requireCodec(stored.name)
  return typeof reach === 'function' ? reach(stored.configuration, pipelineReach) : reach
}

/** Who can decode all of these steps. */
export function pipelineReach(encoding: Encoding): Reach {
  const reaches = encoding.map(reachOf)
  if (reaches.includes('internal')) return 'internal'
  return reaches.includes('native') ? 'native' : 'portable'
}
