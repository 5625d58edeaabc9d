import type { ChunkLayout } from '../codecs/codec.ts'
import type { Scalar } from '../model/data-type.ts'
import type { Operation } from '../model/virtual-store.ts'

/**
 * How the elements of a region are made of chunks: plain data, which a worker runs (`run-program.ts`). `Chunk` is what is known of a
 * chunk: where it lies while the region is planned (`plan-region.ts`), its place in a list once its bytes are there.
 */
export type Program<Chunk> = CanvasProgram<Chunk> | ComputedProgram<Chunk>

/** Chunks, and other regions, copied over each other; the fill value shows where there is none. */
export interface CanvasProgram<Chunk> {
  readonly kind: 'canvas'
  readonly layout: ChunkLayout
  readonly fillValue: Scalar
  /** Later ones lie over earlier ones. */
  readonly layers: readonly Layer<Chunk>[]
}

/** Elements that an operation computes of those of other regions. */
export interface ComputedProgram<Chunk> {
  readonly kind: 'computed'
  readonly layout: ChunkLayout
  readonly fillValue: Scalar
  readonly operation: Operation['kind']
  readonly inputs: readonly CanvasProgram<Chunk>[]
  /** What the operation needs to know besides: plain data of its own. */
  readonly parameters: unknown
}

export type Layer<Chunk> = ChunkLayer<Chunk> | RegionLayer<Chunk>

/** A box of one chunk, and where it goes. */
export interface ChunkLayer<Chunk> {
  readonly kind: 'chunk'
  readonly chunk: Chunk
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly extent: readonly number[]
}

/** A region of another array, of which only the valid points are copied. */
export interface RegionLayer<Chunk> {
  readonly kind: 'region'
  readonly of: Program<Chunk>
  readonly to: readonly number[]
  /** Values of points that are not valid. */
  readonly invalid: readonly Scalar[]
  /** Not zero where points are valid. */
  readonly mask: Program<Chunk> | undefined
}

/** Where a program reads chunks: each box of one is a layer of its own. */
export function chunkLayers<Chunk>(program: Program<Chunk>): ChunkLayer<Chunk>[] {
  return program.kind === 'canvas' ? program.layers.flatMap(chunkLayersIn) : program.inputs.flatMap(chunkLayers)
}

function chunkLayersIn<Chunk>(layer: Layer<Chunk>): ChunkLayer<Chunk>[] {
  if (layer.kind === 'chunk') return [layer]
  return [...chunkLayers(layer.of), ...(layer.mask === undefined ? [] : chunkLayers(layer.mask))]
}

/** Changes the layers that are chunks; those that become undefined were never written, and are left out. */
type ChangeLayer<From, To> = (layer: ChunkLayer<From>) => ChunkLayer<To> | undefined

/** The same program of other chunks. */
export function withChunks<From, To>(program: Program<From>, change: ChangeLayer<From, To>): Program<To> {
  if (program.kind === 'canvas') return canvasWithChunks(program, change)
  return { ...program, inputs: program.inputs.map((input) => canvasWithChunks(input, change)) }
}

function canvasWithChunks<From, To>(canvas: CanvasProgram<From>, change: ChangeLayer<From, To>): CanvasProgram<To> {
  return { ...canvas, layers: layersWithChunks(canvas.layers, change) }
}

/** The same layers of other chunks. */
export function layersWithChunks<From, To>(layers: readonly Layer<From>[], change: ChangeLayer<From, To>): Layer<To>[] {
  return layers.flatMap((layer): Layer<To>[] => {
    if (layer.kind === 'chunk') {
      const changed = change(layer)
      return changed === undefined ? [] : [changed]
    }
    const mask = layer.mask === undefined ? undefined : withChunks(layer.mask, change)
    return [{ ...layer, of: withChunks(layer.of, change), mask }]
  })
}

/** Whether a program gives nothing but fill values, whatever its chunks hold. */
export function isEmpty(program: Program<unknown>): boolean {
  return program.kind === 'canvas' ? program.layers.length === 0 : program.inputs.every(isEmpty)
}

/** Whether a program without its chunks gives nothing but the fill value: regions of other arrays may have fill values of their own. */
export function isOfChunksAlone(program: Program<unknown>): boolean {
  return program.kind === 'canvas'
    ? program.layers.every(({ kind }) => kind === 'chunk')
    : program.inputs.every(isOfChunksAlone)
}

/** A program that gives the elements of one chunk, filled up where it is shorter than the layout. */
export function oneChunk<Chunk>(
  chunk: Chunk,
  storedShape: readonly number[],
  { layout, fillValue }: { readonly layout: ChunkLayout; readonly fillValue: Scalar },
): CanvasProgram<Chunk> {
  const origin = storedShape.map(() => 0)
  const layer: ChunkLayer<Chunk> = { kind: 'chunk', chunk, from: origin, to: origin, extent: storedShape }
  return { kind: 'canvas', layout, fillValue, layers: [layer] }
}

/** How a chunk is told to a worker: what is decoded, and how. */
export interface ProgramChunk<Name> {
  readonly stored: Uint8Array
  readonly coding: Name
  /** The member of a join that it lies in, for errors. */
  readonly file?: string | undefined
  /** Shape of the stored chunk: smaller than its grid's where the source cuts its edge chunks off. */
  readonly storedShape: readonly number[]
  /** Shape of what lies in the array, where the stored chunk hangs over its edge. */
  readonly inside?: readonly number[] | undefined
}

/** Layers of a member's region that begins at `inside`, at their places in a region of the whole; the member begins at `origin`. */
export function movedLayers<Chunk>(
  layers: readonly Layer<Chunk>[],
  inside: readonly number[],
  origin: readonly number[],
  region: readonly number[],
): Layer<Chunk>[] {
  const by = inside.map((at, axis) => at + (origin[axis] ?? 0) - (region[axis] ?? 0))
  return layers.map((layer) => ({ ...layer, to: layer.to.map((at, axis) => at + (by[axis] ?? 0)) }))
}
