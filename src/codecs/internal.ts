import type { JsonObject } from '../json/json.ts'
import type { StoredCodec } from '../model/encoding.ts'
import type { ArrayCodec, ByteCodec, SerialCodec } from './codec.ts'

/** Formats name a codec that only this server decodes by `stored`, with parameters of its own: plain data without numbers that JSON lacks. */
export interface Stored<Parameters> {
  stored(parameters: Parameters): StoredCodec
}

type Without<Kind> = Omit<Kind, 'kind' | 'reach'>

export function internalArray<Parameters extends object>(
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

export function internalSerial<Parameters extends object>(
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

export function internalBytes<Parameters extends object>(
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

function storedCodec(name: string, parameters: object): StoredCodec {
  return { name, configuration: Object.fromEntries(Object.entries(parameters)) }
}

/** Documents can't name these codecs (`formats/zarr-documents`): what comes back is what `stored` was given. */
function trusted<Parameters>(configuration: JsonObject): Parameters {
  return configuration as unknown as Parameters
}
