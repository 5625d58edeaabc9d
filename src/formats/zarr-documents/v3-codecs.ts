import { type ErrorContext, malformed, unsupported } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { DataType } from '../../model/data-type.ts'
import { itemSize } from '../../model/data-type.ts'
import type { Encoding, StoredCodec } from '../../model/encoding.ts'
import { objectOf, type Repair, spell, tellUnknown } from './document.ts'

const MOST_CODECS = 32
const MOST_NESTING = 8
/** Names of the drafts and what became of them. */
const RENAMED = new Map([
  ['endian', 'bytes'],
  ['numcodecs.vlen-utf8', 'vlen-utf8'],
  ['numcodecs.vlen-bytes', 'vlen-bytes'],
])
const BLOSC_SHUFFLES = ['noshuffle', 'shuffle', 'bitshuffle']

/** Where codecs are parsed, and what is told of them. */
export interface CodecContext extends ErrorContext {
  readonly repair: Repair
}

/** The codecs of an array document, in the spelling of the final specification; whether each is known is asked later. */
export function encodingFromV3(
  json: Json | undefined,
  type: DataType,
  rank: number,
  context: CodecContext,
): Encoding | undefined {
  return json === undefined ? undefined : parseCodecs(json, rank, type, context, 0)
}

/** As arrays lie in memory, little-endian: how those are stored whose documents come from drafts without `codecs`. */
export function draftEncoding(type: DataType): Encoding {
  if (type.kind === 'string') return [{ name: 'vlen-utf8', configuration: {} }]
  if (type.kind === 'bytes') return [{ name: 'vlen-bytes', configuration: {} }]
  return [{ name: 'bytes', configuration: itemSize(type) === 1 ? {} : { endian: 'little' } }]
}

function parseCodecs(json: Json, rank: number, type: DataType, context: CodecContext, depth: number): Encoding {
  if (!Array.isArray(json) || json.length === 0 || json.length > MOST_CODECS || depth > MOST_NESTING) {
    throw malformed(`codecs is ${spell(json)}, expected 1 to ${MOST_CODECS} codecs`, context)
  }
  return (json as readonly Json[]).map((item) => parseCodec(item, rank, type, context, depth))
}

function parseCodec(json: Json, rank: number, type: DataType, context: CodecContext, depth: number): StoredCodec {
  const given = isJsonObject(json) ? json['name'] : json
  if (typeof given !== 'string') throw malformed(`a codec is ${spell(json)}, expected a name`, context)
  const name = RENAMED.get(given) ?? given.replace(/^numcodecs\.(?=imagecodecs_)/, '')
  // Names of this server's own steps mean nothing in a document, and must not be reached from one.
  if (name.startsWith('vz.')) throw unsupported(`codec ${spell(name)}`, `codec ${spell(name)} is not known`, context)
  const configuration = objectOf((isJsonObject(json) ? json['configuration'] : undefined) ?? {}, name, context)
  tellOfMembers(name, configuration, context.repair)
  switch (name) {
    case 'transpose':
      return { name, configuration: { order: transposeOrder(configuration['order'], rank) } }
    case 'zstd':
      return { name, configuration: { level: 0, checksum: false, ...configuration } }
    case 'blosc':
      return { name, configuration: bloscConfiguration(configuration, type) }
    case 'sharding_indexed':
      return { name, configuration: shardConfiguration(configuration, rank, type, context, depth) }
  }
  return { name, configuration }
}

/** Drafts had "C" for no change and "F" for reversed axes. */
function transposeOrder(order: Json | undefined, rank: number): Json {
  const axes = Array.from({ length: rank }, (_, axis) => axis)
  if (order === 'C') return axes
  return order === 'F' ? axes.reverse() : (order ?? null)
}

function bloscConfiguration(given: JsonObject, type: DataType): JsonObject {
  const { shuffle } = given
  const word = typeof shuffle === 'number' ? BLOSC_SHUFFLES[shuffle] : shuffle
  return { typesize: Math.min(itemSize(type) ?? 1, 255), ...given, ...(word === undefined ? {} : { shuffle: word }) }
}

function shardConfiguration(
  given: JsonObject,
  rank: number,
  type: DataType,
  context: CodecContext,
  depth: number,
): JsonObject {
  const index: DataType = { kind: 'uint', bits: 64 }
  const codecs = parseCodecs(given['codecs'] ?? null, rank, type, context, depth + 1)
  const indexCodecs = parseCodecs(given['index_codecs'] ?? null, rank + 1, index, context, depth + 1)
  return {
    ...given,
    codecs: codecs.map(asJson),
    index_codecs: indexCodecs.map(asJson),
    index_location: given['index_location'] ?? 'end',
  }
}

function asJson(codec: StoredCodec): Json {
  return { name: codec.name, configuration: codec.configuration }
}

// Zarr v3 core specification, "Codecs", and the registered ones that every reader knows: members of their configurations.

type Check = (value: Json) => boolean

const within =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
const oneOf =
  (...words: readonly Json[]): Check =>
  (value) =>
    words.includes(value)
const anything: Check = () => true

const MEMBERS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  bytes: { endian: anything },
  transpose: { order: anything },
  gzip: { level: within(0, 9) },
  zstd: { level: within(-131072, 22), checksum: oneOf(true, false) },
  blosc: {
    cname: oneOf('lz4', 'lz4hc', 'blosclz', 'zstd', 'snappy', 'zlib'),
    clevel: within(0, 9),
    shuffle: oneOf('noshuffle', 'shuffle', 'bitshuffle', 0, 1, 2),
    typesize: within(1, 2 ** 31),
    blocksize: within(0, 2 ** 31),
  },
  crc32c: {},
  'vlen-utf8': {},
  'vlen-bytes': {},
}
/** Only these may be left out. */
const OPTIONAL: readonly string[] = ['endian', 'checksum', 'typesize', 'blocksize', 'order']

/** Tells what most readers refuse of a configuration, though chunks are decoded all the same: each says for itself how it was made. */
function tellOfMembers(name: string, configuration: JsonObject, repair: Repair): void {
  const members = MEMBERS[name]
  if (members === undefined) return
  tellUnknown(configuration, Object.keys(members), `codec ${name}`, repair)
  for (const [member, isRight] of Object.entries(members)) {
    const value = configuration[member]
    const isMissing = value === undefined && !OPTIONAL.includes(member)
    if (isMissing || (value !== undefined && !isRight(value))) {
      repair(`${member} of codec ${name} is ${spell(value)}: passed over`)
    }
  }
}
