import { type ErrorContext, malformed, unsupported } from '../../../errors.ts'
import { type ChunkIndex, gridPosition } from '../../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../../model/chunk-ref.ts'
import { ChunkRows, type ChunkTable } from '../../../model/chunk-table.ts'
import { RecentParts } from '../../../model/recent-parts.ts'
import { recipe } from '../../../model/recipe.ts'
import { elementCount } from '../../../model/shape.ts'
import type { ChunkedLayout } from '../messages/data-layout.ts'
import { type Hdf5File, readAt } from '../structures/hdf5-file.ts'
import { btreeV1Locator } from './btree-v1.ts'
import { btreeV2Locator } from './btree-v2.ts'
import { extensibleArrayLocator } from './extensible-array.ts'
import { fixedArrayLocator } from './fixed-array.ts'
import { linearIndex } from './linear.ts'
import { ABSENT, type ChunkGrid, type Locator, type StoredChunk } from './locator.ts'
import { nodeReader } from './read-nodes.ts'

/** What an index of stored chunks is made of. */
export interface ChunkIndexInput {
  readonly file: Hdf5File
  readonly layout: ChunkedLayout
  readonly address: number
  readonly grid: ChunkGrid
  /** Lengths of the dataset as stored: `gridShape` may reach further (NetCDF's unlimited dimensions). */
  readonly shape: readonly number[]
  /** Grid of the served array: the dataset's, and one chunk along each dimension of its element type. */
  readonly gridShape: readonly number[]
  /** The encoding for a filter mask; undefined where none was planned. */
  encodingOf(mask: number): number | undefined
  readonly place: ErrorContext
}

/** Longer ways don't exist: each step goes one level down. */
const MOST_STEPS = 80
/**
 * What one array keeps of its index between chunks: the nodes used last. B-trees of 40,000 chunks fit, so that a second pass over an array reads
 * chunks alone. The bytes count as the store's.
 */
const MAX_NODE_BYTES = 2 * 1024 * 1024
/** Bytes that keeping a node costs besides its content. */
const NODE_OVERHEAD = 200
/** All filters left out, and none: that encoding is always the first. */
const ALL_SKIPPED = 0xffff_ffff
const NONE_SKIPPED = 0
const WHOLE_PIPELINE = 0

/** A whole index in memory: seven to twenty bytes a chunk. */
type IndexTable = ChunkTable<'address' | 'size' | 'mask'>

/** What was read of an index so far. */
interface Held {
  readonly nodes: readonly (readonly [number, Uint8Array])[]
  readonly table: IndexTable | undefined
}

/** The chunks of a dataset, found in the file's own index when they are asked for. */
export const chunkIndexOf = recipe('hdf5.chunks', lazyIndex)

function lazyIndex(input: ChunkIndexInput, held?: Held): ChunkIndex & { held(): Held } {
  const locator = locatorOf(input)
  const nodes = new RecentParts<number, Uint8Array>(MAX_NODE_BYTES, (node) => node.length + NODE_OVERHEAD)
  for (const [address, node] of held?.nodes ?? []) nodes.put(address, node)
  let table = held?.table
  let loading: Promise<IndexTable> | undefined

  async function walk(coords: readonly number[], signal: AbortSignal | undefined): Promise<ChunkRef> {
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const step = locator.locate(coords, nodes.get)
      if (step.kind === 'absent') return MISSING
      if (step.kind === 'found') return refOf(input, coords, step.chunk)
      const { address, length, check, usedBytes } = step.request
      const bytes = await readAt(input.file, address, length, signal)
      check(bytes)
      // A copy: what was read may be a view on a larger block.
      nodes.put(address, bytes.slice(0, usedBytes?.(bytes)))
    }
    throw malformed('the index of chunks has no end', input.place)
  }

  async function load(signal?: AbortSignal): Promise<IndexTable> {
    if (table !== undefined) return table
    loading ??= readTable(input, locator, signal).finally(() => {
      loading = undefined
    })
    table = await loading
    nodes.clear()
    return table
  }

  return {
    gridShape: input.gridShape,
    at(coords, signal) {
      const inner = coords.slice(0, input.grid.gridShape.length)
      if (table !== undefined) {
        const chunk = chunkIn(table, gridPosition(inner, input.grid.gridShape))
        return chunk === undefined ? MISSING : refOf(input, inner, chunk)
      }
      const step = locator.locate(inner, nodes.get)
      if (step.kind === 'absent') return MISSING
      return step.kind === 'found' ? refOf(input, inner, step.chunk) : walk(inner, signal)
    },
    async isComplete(signal) {
      // Positions in a larger grid are not exact: nobody has written all of its chunks.
      if (!Number.isSafeInteger(gridSizeOf(input))) return false
      return (await load(signal)).isComplete
    },
    weight: () => 600 + nodes.weight + (table?.weight ?? 0),
    held: () => ({ nodes: nodes.entries(), table }),
  }
}

function gridSizeOf({ grid }: ChunkIndexInput): number {
  return elementCount(grid.gridShape)
}

async function readTable(
  input: ChunkIndexInput,
  locator: Locator,
  signal: AbortSignal | undefined,
): Promise<IndexTable> {
  const rows = new ChunkRows('address', 'size', 'mask')
  const { positions, columns } = rows
  await locator.scan(nodeReader(input.file, signal), (position, address, size, mask) => {
    positions.push(position)
    columns.address.push(address)
    columns.size.push(size)
    columns.mask.push(mask)
  })
  return rows.table(gridSizeOf(input))
}

function chunkIn({ placeOf, columns }: IndexTable, position: number): StoredChunk | undefined {
  const place = placeOf(position)
  if (place === undefined) return undefined
  return { address: columns.address[place] ?? 0, size: columns.size[place] ?? 0, mask: columns.mask[place] ?? 0 }
}

function locatorOf({ file, layout, address, grid, place }: ChunkIndexInput): Locator {
  const { index } = layout
  switch (index.kind) {
    case 'btree-v1':
      return btreeV1Locator(file, address, grid)
    case 'btree-v2':
      return btreeV2Locator(file, address, grid)
    case 'fixed-array':
      return fixedArrayLocator(file, address, grid)
    case 'extensible-array':
      return extensibleArrayLocator(file, address, grid)
    case 'single': {
      const { size, mask } = index.filtered ?? { size: grid.chunkBytes, mask: ALL_SKIPPED }
      return singleLocator({ address, size, mask })
    }
    case 'implicit':
      if (grid.mostChunks.includes(undefined)) throw malformed('an implicit index of a dataset without limits', place)
      return implicitLocator(address, grid)
  }
}

/** Section VII.A "The Single Chunk Index". */
function singleLocator(chunk: StoredChunk): Locator {
  return {
    locate: (coords) => (coords.every((at) => at === 0) ? { kind: 'found', chunk } : ABSENT),
    scan: async (_, emit) => emit(0, chunk.address, chunk.size, chunk.mask),
  }
}

/** Section VII.B "The Implicit Index": all chunks, side by side. */
function implicitLocator(address: number, grid: ChunkGrid): Locator {
  const order = linearIndex(grid)
  const chunkAt = (index: number): StoredChunk => ({
    address: address + index * grid.chunkBytes,
    size: grid.chunkBytes,
    mask: ALL_SKIPPED,
  })
  const count = grid.mostChunks.reduce<number>((product, most) => product * (most ?? 1), 1)
  return {
    locate: (coords) => ({ kind: 'found', chunk: chunkAt(order.indexOf(coords)) }),
    async scan(_, emit) {
      for (let index = 0; index < count; index++) {
        const position = order.positionOf(index)
        const { address, size, mask } = chunkAt(index)
        if (position !== undefined) emit(position, address, size, mask)
      }
    },
  }
}

function refOf(input: ChunkIndexInput, coords: readonly number[], { address, size, mask }: StoredChunk): ChunkRef {
  const { file, layout, grid, shape, place } = input
  if (size === 0 || address + size > file.end) {
    throw malformed(`the chunk of ${size} bytes at address ${address} is outside of a file of ${file.end} bytes`, {
      ...place,
      offset: file.base + address,
    })
  }
  const isRaw =
    layout.hasRawEdges && coords.some((at, axis) => (at + 1) * (grid.chunkShape[axis] ?? 1) > (shape[axis] ?? 0))
  const skipped = isRaw ? ALL_SKIPPED : mask
  const encoding = skipped === NONE_SKIPPED ? WHOLE_PIPELINE : input.encodingOf(skipped)
  if (encoding === undefined) {
    throw unsupported('HDF5 filter mask', `a chunk was written without some of many filters (mask ${mask})`, place)
  }
  return { kind: 'range', source: 0, offset: file.base + address, length: size, encoding }
}
