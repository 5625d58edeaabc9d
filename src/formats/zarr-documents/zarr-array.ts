import type { ErrorContext } from '../../errors.ts'
import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import type { Encoding } from '../../model/encoding.ts'
import type { Diagnostic, VirtualArray } from '../../model/virtual-store.ts'
import type { ParseOptions } from '../format.ts'
import type { Repair } from './document.ts'

/** How the names of an array's chunks are spelled below its folder. */
export interface ChunkKeys {
  /** What every key but a scalar's begins with. */
  readonly prefix: string
  readonly separator: '.' | '/'
  /** The one key of an array without dimensions. */
  readonly scalar: string
}

/** An array as its Zarr document describes it: all but the place of its chunks. */
export interface ZarrArray
  extends Pick<
    VirtualArray,
    'shape' | 'chunkShape' | 'dataType' | 'fillValue' | 'fillOrigin' | 'sentinels' | 'attributes' | 'dimensionNames'
  > {
  readonly encoding: Encoding
  readonly keys: ChunkKeys
}

/** Where the chunks of one array are. The encodings are those of the document, or what wraps them. */
export interface PlacedChunks {
  readonly chunks: ChunkIndex
  readonly encodings: readonly Encoding[]
}

/** What reading a document needs besides the document. */
export interface DocumentContext {
  readonly options: Pick<ParseOptions, 'nullFill' | 'migrateFill' | 'sentinel'>
  /** Cited in errors and diagnostics. */
  readonly path: string
  readonly url?: string | undefined
  warn(diagnostic: Diagnostic): void
}

/** The place that errors of a document cite. */
export function placeOf(context: DocumentContext): ErrorContext {
  return { url: context.url, path: context.path }
}

/** Reports what a document says otherwise than its specification: most readers refuse such a document. */
export function repairOf({ path, warn }: DocumentContext): Repair {
  return (message) => warn({ code: 'metadata-repaired', message, path })
}

/** Zarr v2's keys: grid positions with a separator, `0` for a scalar. */
export function v2Keys(separator: '.' | '/'): ChunkKeys {
  return { prefix: '', separator, scalar: '0' }
}

/** Zarr v3's default keys: the same below `c`. */
export function defaultKeys(separator: '.' | '/'): ChunkKeys {
  return { prefix: `c${separator}`, separator, scalar: 'c' }
}

/** The key of a chunk, below the array's folder. It holds no character that a URL would need escaped. */
export function chunkKey(keys: ChunkKeys, coords: readonly number[]): string {
  return coords.length === 0 ? keys.scalar : keys.prefix + coords.join(keys.separator)
}

const COORDINATE = /^(?:0|[1-9][0-9]{0,15})$/

/** The grid position that a key names; undefined where it isn't the canonical key of a chunk in the grid. */
export function parseChunkKey(keys: ChunkKeys, key: string, gridShape: readonly number[]): number | undefined {
  if (gridShape.length === 0) return key === keys.scalar ? 0 : undefined
  if (!key.startsWith(keys.prefix)) return undefined
  const parts = key.slice(keys.prefix.length).split(keys.separator)
  if (parts.length !== gridShape.length) return undefined
  let position = 0
  for (const [axis, part] of parts.entries()) {
    if (!COORDINATE.test(part)) return undefined
    const coordinate = Number(part)
    const length = gridShape[axis] ?? 0
    if (coordinate >= length) return undefined
    position = position * length + coordinate
  }
  return position
}

/** The served array: a document and the place of its chunks. Zarr stores border chunks whole. */
export function virtualArray(array: ZarrArray, placed: PlacedChunks): VirtualArray {
  const { encoding: _encoding, keys: _keys, ...described } = array
  return { kind: 'array', ...described, encodings: placed.encodings, edges: 'padded', chunks: placed.chunks }
}

/** Chunks along each axis of a described array. */
export function gridOf(array: ZarrArray): number[] {
  return gridShapeOf(array.shape, array.chunkShape)
}
