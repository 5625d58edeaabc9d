import type { ChunkLayout, Elements } from '../codecs/codec.ts'
import { type Canvas, copyBox, filledElements } from '../codecs/elements.ts'
import { chunkMemory } from '../codecs/kernels/chunk-memory.ts'
import { decode } from '../codecs/pipeline.ts'
import { isVirtualZarrError, VirtualZarrError } from '../errors.ts'
import { itemSize } from '../model/data-type.ts'
import type { Coding } from './coding.ts'
import { MAX_DECODED_BYTES } from './limits.ts'
import { rulesOfKind } from './operations.ts'
import { overlay } from './overlay.ts'
import type { CanvasProgram, ChunkLayer, Program, ProgramChunk, RegionLayer } from './program.ts'

/** Reads the source again, for codecs whose bytes only point at the content. */
type ReadAgain = (range: { readonly offset: number; readonly length: number }) => Promise<Uint8Array>

/** Runs a program over the stored bytes of its chunks, which it names by their places in the list: the elements of the region. */
export async function runProgram(
  program: Program<number>,
  chunks: readonly ProgramChunk<Coding>[],
  read?: ReadAgain,
): Promise<Elements> {
  return await new ProgramRun(chunks, read).elements(program)
}

class ProgramRun {
  readonly #chunks: readonly ProgramChunk<Coding>[]
  readonly #read: ReadAgain | undefined

  constructor(chunks: readonly ProgramChunk<Coding>[], read: ReadAgain | undefined) {
    this.#chunks = chunks
    this.#read = read
  }

  async elements(program: Program<number>): Promise<Elements> {
    if (program.kind === 'canvas') return await this.#canvas(program)
    const inputs: Elements[] = []
    for (const input of program.inputs) inputs.push(await this.#canvas(input))
    const { compute } = rulesOfKind(program.operation)
    if (compute === undefined) throw new TypeError(`${program.operation} computes nothing`)
    return compute(inputs, program)
  }

  async #canvas({ layout, fillValue, layers }: CanvasProgram<number>): Promise<Elements> {
    const [only] = layers
    const isOne = only?.kind === 'chunk' && layers.length === 1
    // One chunk that is the whole region need not be copied.
    if (isOne && isWhole(only, this.#chunk(only.chunk), layout)) return await this.#decoded(this.#chunk(only.chunk))
    const canvas = filledElements(layout, fillValue)
    for (const layer of layers) {
      if (layer.kind === 'chunk') await this.#copyChunk(layer, canvas, layout)
      else await this.#copyRegion(layer, canvas, layout)
    }
    return canvas
  }

  async #copyChunk(layer: ChunkLayer<number>, canvas: Canvas, { shape, dataType }: ChunkLayout): Promise<void> {
    const chunk = this.#chunk(layer.chunk)
    const copy = async () => {
      const elements = await this.#decoded(chunk)
      copyBox(elements, chunk.storedShape, canvas, shape, layer, itemSize(dataType) ?? 1)
    }
    // Bytes of varying length stay where they were decoded.
    await (canvas.kind === 'fixed' ? chunkMemory.during(copy) : copy())
  }

  async #copyRegion(layer: RegionLayer<number>, canvas: Canvas, { shape }: ChunkLayout): Promise<void> {
    const elements = await this.elements(layer.of)
    const mask = layer.mask === undefined ? undefined : await this.elements(layer.mask)
    overlay(layer, layer.of.layout, elements, mask, canvas, shape)
  }

  #chunk(number: number): ProgramChunk<Coding> {
    const chunk = this.#chunks[number]
    if (chunk === undefined) throw new TypeError(`a program reads chunk ${number} of ${this.#chunks.length}`)
    return chunk
  }

  async #decoded({ stored, coding, storedShape, inside, file }: ProgramChunk<Coding>): Promise<Elements> {
    const { fillValue } = coding
    const options = { limit: MAX_DECODED_BYTES, fillValue, inside, read: this.#read }
    try {
      return await decode(coding.pipeline(storedShape), stored, options)
    } catch (error) {
      throw errorInFile(error, file)
    }
  }
}

function isWhole(layer: ChunkLayer<number>, { storedShape }: ProgramChunk<Coding>, { shape }: ChunkLayout): boolean {
  return shape.every((length, axis) => storedShape[axis] === length && layer.extent[axis] === length)
}

/** An error that says which member of a join it is about. */
export function errorInFile(error: unknown, file: string | undefined): unknown {
  if (file === undefined || !isVirtualZarrError(error) || error.message.includes(file)) return error
  return new VirtualZarrError(error.code, `${file}: ${error.message}`, error.context, error)
}
