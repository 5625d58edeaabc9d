// What the package promises in Node and in browsers alike: semantic versions are counted by this page and by `index.ts`.

export type { ByteRange } from '../bytes/byte-range.ts'
export { type Feed, feedOf, type Sink } from '../bytes/feed.ts'
export {
  type ErrorCode,
  type ErrorContext,
  isVirtualZarrError,
  malformed,
  overLimit,
  unsupported,
  VirtualZarrError,
} from '../errors.ts'
export {
  DEFAULT_PARSE_OPTIONS,
  type Format,
  type OpenOptions,
  type ParseContext,
  type ParseOptions,
} from '../formats/format.ts'
export { formats } from '../formats/registry.ts'
export type { Json, JsonObject } from '../json/json.ts'
export { type ChunkIndex, gridCoordinates, gridPosition, gridShapeOf } from '../model/chunk-index.ts'
export { type ChunkRef, MISSING } from '../model/chunk-ref.ts'
export { computedArray, computedCoordinate } from '../model/computed-array.ts'
export { type DataType, itemSize, type Scalar, type StructField, zeroOf } from '../model/data-type.ts'
export { type Encoding, rawEncoding, type StoredCodec } from '../model/encoding.ts'
export { MOST_CHUNK_BYTES, runChunkShape, runRange } from '../model/run-chunks.ts'
export { skippedArray } from '../model/skipped-array.ts'
export {
  type Attributes,
  type AttributeValue,
  type Diagnostic,
  type Member,
  NO_SENTINELS,
  type Sentinels,
  type SkippedArray,
  type VirtualArray,
  type VirtualGroup,
  type VirtualNode,
} from '../model/virtual-store.ts'
export type { Inspection } from '../service/api-schemas.ts'
export { memorySource } from '../source/memory.ts'
export type {
  ListOptions,
  ObjectCheck,
  ObjectOptions,
  ObjectPart,
  ReadOptions,
  Source,
  Sources,
} from '../source/source.ts'
export type { GivenSource } from './given-source.ts'
export type { LibrarySettings, OpenVirtualOptions, VirtualInput } from './library.ts'
export type { VirtualDataset } from './virtual-dataset.ts'
export type { GetOptions, RangeQuery, VirtualStore } from './zarr-store.ts'
