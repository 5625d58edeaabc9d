import { squeeze } from '../../../codecs/own/squeeze.ts'
import { tiffRows } from '../../../codecs/tiff/rows.ts'
import { malformed, unsupported } from '../../../errors.ts'
import type { ChunkIndex } from '../../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../../model/chunk-ref.ts'
import { composedArray, isComplete, requireStored, storedArray } from '../../../model/composed-array.ts'
import type { Encoding, StoredCodec } from '../../../model/encoding.ts'
import { after } from '../../../model/recent-parts.ts'
import { recipe } from '../../../model/recipe.ts'
import { elementCount } from '../../../model/shape.ts'
import type { ArraySpec, VirtualArray } from '../../../model/virtual-store.ts'

/** Finds the array of a plane by its position in C order over the leading axes; undefined for one that was never written. */
export type PlaneAt = (
  position: number,
  signal?: AbortSignal,
) => VirtualArray | undefined | Promise<VirtualArray | undefined>

export interface Stacking {
  /** Lengths of the axes before those of a plane. */
  readonly lengths: readonly number[]
  readonly names: readonly string[]
  planeAt(position: number, signal?: AbortSignal): ReturnType<PlaneAt>
}

/** Planes as one array: chunks are those of the planes, found when they are asked for. `first` is one of them, which all others are like. */
export function stackedArray(first: VirtualArray, stacking: Stacking): VirtualArray {
  const { lengths, names } = stacking
  if (lengths.length === 0) return first
  const spec: ArraySpec = {
    ...first,
    shape: [...lengths, ...first.shape],
    chunkShape: [...lengths.map(() => 1), ...first.chunkShape],
    dimensionNames: [...names, ...(first.dimensionNames ?? [])],
  }
  const { planeAt } = stacking
  if (first.operation?.kind === 'rechunk') {
    const of = stackedArray(first.operation.of, { ...stacking, planeAt: storedPlane({ planeAt }) })
    return composedArray(spec, { kind: 'rechunk', of })
  }
  const { encodings, edges, chunks } = requireStored(first)
  return storedArray(spec, {
    encodings: encodings.map((encoding) => stackedEncoding(encoding, lengths.length)),
    edges,
    chunks: stackedIndex({ first: chunks, lengths, planeAt }),
  })
}

/** The planes as they are stored, where they are served in other chunks. */
export const storedPlane = recipe(
  'tiff.stored-plane',
  ({ planeAt }: { readonly planeAt: PlaneAt }): PlaneAt =>
    (position, signal) =>
      after(planeAt(position, signal), (plane) => plane && asStored(plane)),
)

function asStored(plane: VirtualArray): VirtualArray {
  return plane.operation?.kind === 'rechunk' ? plane.operation.of : plane
}

interface StackedIndex {
  readonly first: ChunkIndex
  readonly lengths: readonly number[]
  readonly planeAt: PlaneAt
}

export const stackedIndex = recipe('tiff.stack', ({ first, lengths, planeAt }: StackedIndex): ChunkIndex => {
  const count = elementCount(lengths)
  return {
    gridShape: [...lengths, ...first.gridShape],
    at(coords, signal) {
      const position = lengths.reduce((place, length, axis) => place * length + (coords[axis] ?? 0), 0)
      return after(planeAt(position, signal), (plane): ChunkRef | Promise<ChunkRef> => {
        if (plane === undefined) return MISSING
        return requireStored(plane).chunks.at(coords.slice(lengths.length), signal)
      })
    },
    async isComplete(signal) {
      for (let position = 0; position < count; position++) {
        const plane = await planeAt(position, signal)
        if (plane === undefined) return false
        if ((await isComplete(plane, signal)) !== true) return false
      }
      return true
    },
    weight: () => 1024 + 4 * count + first.weight(),
  }
})

/** What is said once for all planes must hold for each. */
export function requireAlike(first: VirtualArray, plane: VirtualArray, directory: number): void {
  if (descriptionOf(first) === descriptionOf(plane)) return
  const message = `directory ${directory} has an image of another size, type or compression than the first of its stack`
  throw unsupported('planes that differ', `${message}: layout=ifd serves them one by one`)
}

function descriptionOf(array: VirtualArray): string {
  const { shape, chunkShape, dataType } = array
  const { chunkShape: storedShape, edges, encodings } = requireStored(asStored(array))
  return JSON.stringify([shape, chunkShape, dataType, edges, encodings, storedShape])
}

/** Codecs that know pictures see planes without the axes before them. */
function stackedEncoding(encoding: Encoding, axes: number): Encoding {
  const [turned, ...others] = encoding
  if (turned?.name === 'transpose') return [shifted(turned, axes), ...squeezed(others, axes)]
  return squeezed(encoding, axes)
}

/** These see numbers, in whatever shape. */
const ANY_RANK: ReadonlySet<string> = new Set(['bytes', tiffRows.name])

function squeezed(encoding: Encoding, axes: number): Encoding {
  return encoding.some(({ name }) => ANY_RANK.has(name)) ? encoding : [squeeze.stored({ axes }), ...encoding]
}

function shifted({ name, configuration }: StoredCodec, axes: number): StoredCodec {
  const { order } = configuration
  if (!Array.isArray(order)) throw malformed('transpose has no order')
  const before = Array.from({ length: axes }, (_, axis) => axis)
  return { name, configuration: { order: [...before, ...order.map((axis) => Number(axis) + axes)] } }
}

/** The same array further on in the file: of images that lie one after the other, described once. */
export function movedArray(array: VirtualArray, distance: number, fileSize: number): VirtualArray {
  const moved = (ref: ChunkRef): ChunkRef => {
    if (ref.kind === 'range') return { ...ref, offset: inside(ref.offset, ref.length) }
    if (ref.kind !== 'ranges') return ref
    return { ...ref, parts: ref.parts.map(({ offset, length }) => ({ offset: inside(offset, length), length })) }
  }
  const inside = (offset: number, length: number) => {
    const end = offset + distance + length
    if (end <= fileSize) return offset + distance
    throw malformed(`an image of the stack ends at byte ${end} of a file of ${fileSize}: it is cut off`, { offset })
  }
  const stored = requireStored(array)
  const { chunks } = stored
  return { ...stored, chunks: { ...chunks, at: (coords, signal) => after(chunks.at(coords, signal), moved) } }
}
