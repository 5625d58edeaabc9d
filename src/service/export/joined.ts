import { membersIn } from '../../compose/members.ts'
import { regionWithin } from '../../compose/region.ts'
import { planDelivery } from '../../delivery/plan.ts'
import { isVirtualZarrError, overLimit, unsupported, VirtualZarrError } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { writeJson } from '../../json/write.ts'
import { gridCoordinates, gridPosition, gridShapeOf } from '../../model/chunk-index.ts'
import { placedArrays } from '../../model/composed-array.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import { elementCount } from '../../model/shape.ts'
import type { Box, VirtualArray } from '../../model/virtual-store.ts'
import type { ArrayNode } from '../open-store.ts'
import { storedArray } from './grid.ts'
import { checkChunkCount } from './plan.ts'
import type { ExportedArray, ReferenceExporter } from './references.ts'
import { hasInnerChunks, innerChunks } from './shards.ts'

/** Sources of a join that are opened for an export, at the same time and at the most. */
const OPENED_AT_ONCE = 16
const MOST_PARTS = 20_000

/** The array of one source, and where it lies in the join. */
interface Leaf {
  readonly array: VirtualArray
  readonly origin: readonly number[]
  readonly part: number
}

interface ExportedLeaf extends Leaf {
  readonly exported: ExportedArray
  readonly url: string
}

/**
 * The chunks of all sources of a joined array as they are stored: where all have one kind of chunks, and begin where one does
 * (COMB-1, COMB-2). Names the first source that has not.
 */
export async function joinedChunks({ array }: ArrayNode, references: ReferenceExporter): Promise<ExportedArray> {
  const leaves = await leavesOf(array, { origin: zeros(array), shape: array.shape }, zeros(array))
  if (leaves.length > MOST_PARTS) throw overLimit(`an export of ${leaves.length} sources, at most ${MOST_PARTS} are`)
  const parts = await inParallel(leaves, OPENED_AT_ONCE, (leaf) => exportedLeaf(leaf, references))
  const [first] = parts
  if (first === undefined) throw unsupported('empty joins', 'no source has any of it')
  for (const part of parts) requireAligned(part, first, array)
  const { codecs, array: like } = first.exported
  const gridShape = gridShapeOf(array.shape, like.chunkShape)
  checkChunkCount(gridShape)
  const owners = ownersOf(parts, like.chunkShape, gridShape)
  return {
    array: { ...array, chunkShape: like.chunkShape },
    codecs,
    gridShape,
    async reference(coords) {
      const part = parts[(owners[gridPosition(coords, gridShape)] ?? 0) - 1]
      if (part === undefined) return undefined
      const local = coords.map((at, axis) => at - (part.origin[axis] ?? 0) / (like.chunkShape[axis] ?? 1))
      return await named(part.url, () => part.exported.reference(local))
    },
  }
}

function zeros({ shape }: VirtualArray): readonly number[] {
  return shape.map(() => 0)
}

/** Whether an array is one of a join, whose references count from its sources. */
export function isJoined({ operation }: VirtualArray): boolean {
  switch (operation?.kind) {
    case 'mosaic':
    case 'member':
      return true
    case 'concat':
      return placedArrays(operation) === undefined
    case 'window':
      return isJoined(operation.of)
    case undefined:
    case 'rechunk':
    case 'mask':
    case 'coarsen':
    case 'reverse':
      return false
  }
}

/** The sources' own arrays that reach into a box, those of rows included; `shift` is where the array begins in the whole. */
async function leavesOf(array: VirtualArray, box: Box, shift: readonly number[]): Promise<readonly Leaf[]> {
  const { operation } = array
  const moved = (origin: readonly number[], by: readonly number[]) => origin.map((at, axis) => at + (by[axis] ?? 0))
  switch (operation?.kind) {
    case 'member':
      return [{ array: operation.of, origin: shift, part: operation.file }]
    case 'window': {
      const { of, origin } = operation
      const back = origin.map((at) => 0 - at)
      return await leavesOf(of, { origin: moved(box.origin, origin), shape: box.shape }, moved(shift, back))
    }
    case 'concat': {
      const leaves: Leaf[] = []
      for (const { array: inner, origin, file } of await membersIn(operation.members, box, undefined)) {
        const place = moved(shift, origin)
        const inside = regionWithin(box, origin, inner.shape)
        if (file !== undefined) leaves.push({ array: inner, origin: place, part: file })
        else if (inside !== undefined) leaves.push(...(await leavesOf(inner, inside, place)))
      }
      return leaves
    }
    case 'mosaic':
      // Known before all sources are opened.
      throw overlaid()
    case undefined:
    case 'rechunk':
    case 'mask':
    case 'coarsen':
    case 'reverse':
      throw unsupported('values of a join', 'it has values that are in none of its sources')
  }
}

function overlaid(): Error {
  return unsupported('mosaics', 'its sources lie over each other')
}

async function exportedLeaf(leaf: Leaf, references: ReferenceExporter): Promise<ExportedLeaf> {
  const { exporter, url } = await references.ofPart(leaf.part)
  return await named(url, async () => {
    const { array } = leaf
    const stored = await storedArray({ array, plan: planDelivery(array, 'native') }, references.target)
    const exported = hasInnerChunks(stored, exporter) ? innerChunks(stored, exporter) : exporter.chunksOf(stored)
    return { ...leaf, exported, url }
  })
}

/** Says in an error which source it is about. */
async function named<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isVirtualZarrError(error) || error.message.includes(url)) throw error
    throw new VirtualZarrError(error.code, `${url}: ${error.message}`, error.context, error)
  }
}

function requireAligned(
  { array, origin, exported, url }: ExportedLeaf,
  first: ExportedLeaf,
  whole: VirtualArray,
): void {
  const differs = (what: string) =>
    unsupported('joins of several kinds', `${what} of ${url} are not those of ${first.url}`)
  if (writeJson(exported.codecs.map(plain)) !== writeJson(first.exported.codecs.map(plain))) throw differs('the codecs')
  const { chunkShape, dimensionNames } = exported.array
  if (chunkShape.join() !== first.exported.array.chunkShape.join()) throw differs('the chunks')
  if (dimensionNames?.join('/') !== whole.dimensionNames?.join('/')) throw differs('the axes as they are stored')
  const [own, others] = [exported.array, whole].map(({ fillValue, dataType }) => scalarToBytes(fillValue, dataType))
  if (Buffer.compare(own ?? Buffer.of(), others ?? Buffer.of()) !== 0) throw differs('the unwritten values')
  for (const [axis, start] of origin.entries()) {
    const [chunk, length] = [chunkShape[axis] ?? 1, array.shape[axis] ?? 0]
    const isWhole = length % chunk === 0 || start + length === whole.shape[axis]
    if (start % chunk === 0 && isWhole) continue
    const name = whole.dimensionNames?.[axis] ?? axis
    throw unsupported(
      'joins over cuts',
      `${url} is ${length} long along ${name}, from ${start} on: chunks of ${chunk} would hold values of several sources`,
    )
  }
}

function plain({ name, configuration }: ExportedArray['codecs'][number]) {
  return { name, configuration }
}

/** By position in the grid: one more than the number of the source that has the chunk. */
function ownersOf(
  parts: readonly ExportedLeaf[],
  chunkShape: readonly number[],
  gridShape: readonly number[],
): Uint32Array {
  const owners = new Uint32Array(elementCount(gridShape))
  for (const [number, { exported, origin }] of parts.entries()) {
    for (let position = 0; position < elementCount(exported.gridShape); position++) {
      const local = gridCoordinates(position, exported.gridShape)
      const coords = local.map((at, axis) => at + (origin[axis] ?? 0) / (chunkShape[axis] ?? 1))
      // A window shows a part of its sources.
      if (coords.some((at, axis) => at < 0 || at >= (gridShape[axis] ?? 0))) continue
      owners[gridPosition(coords, gridShape)] = number + 1
    }
  }
  return owners
}
