import type { Json, JsonObject } from '../json/json.ts'
import type { StoredCodec } from '../model/encoding.ts'
import type { ArrayCodec, ByteCodec, SerialCodec } from './codec.ts'

/** Formats name a codec that only this server decodes by `stored`, with parameters of its own: plain data without numbers that JSON lacks. */
export interface Stored<Parameters> {
  stored(parameters: Parameters): StoredCodec
}

type Without<Kind> = Omit<Kind, 'kind' | 'reach'>

/** Parameters that are JSON: a member that may be `undefined` has no spelling, and must be optional instead. */
type JsonMembers<Value> = { readonly [Name in keyof Value]: JsonValue<Value[Name]> }
type JsonValue<Value> = Value extends Json ? Value : Value extends object ? JsonMembers<Value> : never

export function internalArray<Parameters extends JsonMembers<Parameters>>(
  codec: Without<ArrayCodec<Parameters>>,
): ArrayCodec & Stored<Parameters> {
  return {
    ...codec,
    kind: 'array',
    reach: 'internal',
    prepare: (configuration, layout) => codec.prepare(trusted<Parameters>(configuration), layout),
    stored: (parameters) => storedCodec(codec.name, parameters),
  }
}

export function internalSerial<Parameters extends JsonMembers<Parameters>>(
  codec: Without<SerialCodec<Parameters>>,
): SerialCodec & Stored<Parameters> {
  return {
    ...codec,
    kind: 'serial',
    reach: 'internal',
    prepare: (configuration, layout, inner) => codec.prepare(trusted<Parameters>(configuration), layout, inner),
    stored: (parameters) => storedCodec(codec.name, parameters),
  }
}

export function internalBytes<Parameters extends JsonMembers<Parameters>>(
  codec: Without<ByteCodec<Parameters>>,
): ByteCodec & Stored<Parameters> {
  return {
    ...codec,
    kind: 'bytes',
    reach: 'internal',
    prepare: (configuration) => codec.prepare(trusted<Parameters>(configuration)),
    stored: (parameters) => storedCodec(codec.name, parameters),
  }
}

/** Of a codec that needs to be told nothing. */
export type NoParameters = Readonly<Record<string, never>>

function storedCodec(name: string, parameters: JsonObject): StoredCodec {
  return { name, configuration: Object.fromEntries(Object.entries(parameters)) }
}

/** Documents can't name these codecs (`formats/zarr-documents`): what comes back is what `stored` was given. */
function trusted<Parameters>(configuration: JsonObject): Parameters {
  return configuration as unknown as Parameters
}
