import { encodeElements } from '../../codecs/decode.ts'
import { filledElements } from '../../codecs/elements.ts'
import { canEncode } from '../../codecs/prepare.ts'
import { unsupported, type VirtualZarrError } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { gridCoordinates } from '../../model/chunk-index.ts'
import { isOwnFault } from '../../model/skipped-array.ts'
import { turn } from '../../turns.ts'
import { v2ArrayDocument } from '../../zarr/v2-document.ts'
import { describeArray } from '../describe.ts'
import type { ArrayNode } from '../open-store.ts'
import { v2Fill } from './fill.ts'
import { storedArray } from './grid.ts'
import { isJoined, joinedChunks } from './joined.ts'
import { type InlineRoom, MOST_ARRAY_BYTES, madeChunks } from './made.ts'
import { checkChunkCount, isLeftOut } from './plan.ts'
import type { ExportProgress } from './progress.ts'
import {
  COMPRESSED_FILE,
  type ExportedArray,
  type ExportedReference,
  type ReferenceExporter,
  SECRET_URL,
} from './references.ts'
import { hasInnerChunks, innerChunks } from './shards.ts'

/** References looked up at the same time, between two chances for other requests. */
const AT_ONCE = 64

export interface PlacedReference {
  readonly coords: readonly number[]
  /** Undefined for a chunk that was never written. */
  readonly reference: ExportedReference | undefined
}

/** What an export needs besides the array. */
export interface ExportTools {
  readonly references: ReferenceExporter
  readonly room: InlineRoom
  readonly progress: ExportProgress
}

/** The references of the chunks from one position of a grid to another: as many as are looked up at a time. */
export async function* placedReferences(
  { gridShape, reference }: Pick<ExportedArray, 'gridShape' | 'reference'>,
  first: number,
  end: number,
): AsyncGenerator<readonly PlacedReference[]> {
  for (let start = first; start < end; start += AT_ONCE) {
    const count = Math.min(AT_ONCE, end - start)
    const coords = Array.from({ length: count }, (_, index) => gridCoordinates(start + index, gridShape))
    const found = await Promise.allSettled(coords.map((at) => reference(at)))
    yield coords.map((at, index) => ({ coords: at, reference: settled(found[index]) }))
    await turn()
  }
}

/** Of several failures the first chunk's is told, whichever came first. */
function settled<T>(result: PromiseSettledResult<T> | undefined): T | undefined {
  if (result?.status === 'rejected') throw result.reason
  return result?.value
}

/** One array under way: its references first, then the documents, which depend on whether a chunk is missing. */
export class ArrayExport {
  readonly gridShape: readonly number[]
  readonly #node: ArrayNode
  readonly #exported: ExportedArray
  /** Zarr v2 can't say what is unwritten and what is masked unless every chunk is there. */
  readonly #isFilled: boolean
  readonly #room: InlineRoom
  #fill: Uint8Array | undefined
  #filled = 0
  #isComplete = true

  constructor(node: ArrayNode, exported: ExportedArray, room: InlineRoom) {
    checkChunkCount(exported.gridShape)
    this.gridShape = exported.gridShape
    this.#node = node
    this.#exported = exported
    this.#room = room
    this.#isFilled = v2Fill(exported.array, false) === undefined
    // What v2 can't say is refused before anything of the array is written.
    this.documents()
  }

  /** The references of the chunks from one position of the grid to another: as many as are looked up at a time. */
  async *references(first: number, end: number): AsyncGenerator<readonly PlacedReference[]> {
    for await (const placed of placedReferences(this.#exported, first, end)) {
      yield placed.map(({ coords, reference }) => ({ coords, reference: reference ?? this.#missing() }))
    }
  }

  /** `.zarray` and `.zattrs`, once all references were asked for. */
  documents(): { readonly zarray: JsonObject; readonly zattrs: JsonObject } {
    const { array, codecs } = this.#exported
    const fill = v2Fill(array, this.#isComplete || this.#isFilled)
    const { _FillValue: encoded, ...attributes } = describeArray(this.#node).attributes
    const own = encoded === undefined ? {} : { _FillValue: encoded }
    const names = (array.dimensionNames ?? []).map((name) => name ?? '')
    return {
      zarray: v2ArrayDocument(array, codecs, fill?.fillValue),
      zattrs: { ...attributes, ...(fill?.attribute ?? own), _ARRAY_DIMENSIONS: names },
    }
  }

  #missing(): ExportedReference | undefined {
    if (!this.#isFilled) {
      this.#isComplete = false
      return undefined
    }
    const bytes = this.#fill ?? this.#fillChunk()
    this.#fill = bytes
    this.#filled += bytes.length
    if (this.#filled > MOST_ARRAY_BYTES) throw unsayable()
    this.#room.take(bytes.length)
    return { kind: 'inline', bytes }
  }

  /** A chunk that was never written, as if it had been. */
  #fillChunk(): Uint8Array {
    const { array, codecs } = this.#exported
    const layout = { shape: array.chunkShape, dataType: array.dataType }
    if (!canEncode(codecs)) throw unsayable()
    return encodeElements(filledElements(layout, array.fillValue), codecs, layout)
  }
}

function unsayable(): Error {
  return unsupported('fill value', 'its fill value is not its _FillValue, which Zarr v2 metadata can not say')
}

/** Whether no array of the file can be referred to: then the values of its small ones would be no export of it. */
function isAboutFile({ context: { feature } }: VirtualZarrError): boolean {
  return feature === COMPRESSED_FILE || feature === SECRET_URL
}

async function referredChunks(node: ArrayNode, references: ReferenceExporter): Promise<ExportedArray> {
  if (isJoined(node.array)) return await joinedChunks(node, references)
  references.requireFile(node.array)
  const stored = await storedArray(node, references.target)
  return hasInnerChunks(stored, references) ? innerChunks(stored, references) : references.chunksOf(stored)
}

/** The same for references in documents of Zarr v2. */
export async function withArrayExport<T>(
  node: ArrayNode,
  tools: ExportTools,
  use: (exporting: ArrayExport) => Promise<T>,
): Promise<T> {
  return await withExportedArray(node, tools, (exported) => use(new ArrayExport(node, exported, tools.room)))
}

/**
 * Exports an array: by references to its stored chunks, or with its values where none can name them and they are few. `use` is
 * called once more for the second way; the reason why there is no first one is thrown when there is no second either.
 */
export async function withExportedArray<T>(
  node: ArrayNode,
  { references, room, progress }: ExportTools,
  use: (exported: ExportedArray) => Promise<T>,
): Promise<T> {
  if (node.array.isInlined === true) return await use(madeChunks(node, references.world, room))
  try {
    return await use(progress.counted(node, await referredChunks(node, references)))
  } catch (reason) {
    if (!isLeftOut(reason) || isAboutFile(reason)) throw reason
    try {
      return await use(progress.counted(node, madeChunks(node, references.world, room)))
    } catch (error) {
      // What the origin failed at may pass: it costs the export, not this array.
      throw isLeftOut(error) || isOwnFault(error) ? reason : error
    }
  }
}
