import type { Elements } from '../codecs/codec.ts'
import type { ComposedArray, Operation, VirtualArray } from '../model/virtual-store.ts'
import type { FindChunk, FoundChunk } from './found-chunk.ts'
import type { LayersOf, Planning, RegionChunk } from './planning.ts'
import type { ComputedProgram, Layer, Program } from './program.ts'
import type { Region } from './region.ts'

/** A composed array, by its operation. */
export interface Composed<Op extends Operation> extends ComposedArray {
  readonly operation: Op
}

/** What the evaluator asks of an operation. Each one answers in a file of its own, and is listed in `operations.ts`. */
export interface OperationRules<Op extends Operation> {
  /** Finds a chunk that is one of an array below, bit for bit; without this every chunk is composed. */
  find?(
    array: Composed<Op>,
    coords: readonly number[],
    find: FindChunk,
    signal: AbortSignal | undefined,
  ): FoundChunk | Promise<FoundChunk>
  /** The layers of a region; without this the array is computed chunk by chunk, and others are made of its chunks. */
  layers?(
    array: Composed<Op>,
    region: Region,
    layersOf: LayersOf,
    planning: Planning,
  ): Promise<readonly Layer<RegionChunk>[]>
  /** How one chunk is computed, by `compute`; without this it is the canvas of its layers. */
  program?(array: Composed<Op>, region: Region, layersOf: LayersOf, planning: Planning): Promise<Program<RegionChunk>>
  /** Runs in a worker: the elements of a region, of those of the regions that its program names. */
  compute?(inputs: readonly Elements[], program: ComputedProgram<number>): Elements
  /** The arrays below, and the regions of them that a region is composed of. */
  below(array: Composed<Op>, region: Region, signal: AbortSignal | undefined): Promise<readonly RegionBelow[]>
  /** Bytes that composing a chunk holds at most besides the chunk. */
  peakBytes?(array: Composed<Op>): number
}

/** A region of an array that another is composed of. */
interface RegionBelow {
  readonly array: VirtualArray
  readonly region: Region
  /** Which file of a join its references count from. */
  readonly file?: number | undefined
}
