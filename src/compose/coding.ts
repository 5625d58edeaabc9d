import type { ChunkLayout } from '../codecs/codec.ts'
import { decodedBytes } from '../codecs/elements.ts'
import type { Pipeline } from '../codecs/pipeline.ts'
import { needsSource, prepareEncoding } from '../codecs/prepare.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import { type Encoding, rawEncoding, type StoredCodec } from '../model/encoding.ts'
import type { StoredArray, VirtualArray } from '../model/virtual-store.ts'

/** The codecs in which chunks of an array go out. */
interface WireFormat {
  readonly codecs: readonly StoredCodec[]
}

/** How chunks of one layout are coded. A thread makes it ready when it first codes such a chunk, and keeps that. */
export class Coding {
  readonly encoding: Encoding
  readonly layout: ChunkLayout
  /** What is not in the stored chunks reads as. */
  readonly fillValue: Scalar
  #whole: Pipeline | undefined
  /** For chunks that are cut off at an edge: of the shape that came last. */
  #cut: Pipeline | undefined
  #readsSource: boolean | undefined
  #decodedBytes: number | undefined

  constructor({ encoding, layout, fillValue }: Pick<Coding, 'encoding' | 'layout' | 'fillValue'>) {
    this.encoding = encoding
    this.layout = layout
    this.fillValue = fillValue
  }

  pipeline(shape: readonly number[] = this.layout.shape): Pipeline {
    if (isSame(shape, this.layout.shape)) {
      this.#whole ??= prepareEncoding(this.encoding, this.layout)
      return this.#whole
    }
    if (this.#cut === undefined || !isSame(shape, this.#cut.layout.shape)) {
      this.#cut = prepareEncoding(this.encoding, { ...this.layout, shape })
    }
    return this.#cut
  }

  /** What a decoded chunk takes in memory, about. */
  get decodedBytes(): number {
    this.#decodedBytes ??= decodedBytes(this.layout)
    return this.#decodedBytes
  }

  /** Whether its bytes point at others, which a thread has read for it. */
  get readsSource(): boolean {
    this.#readsSource ??= needsSource(this.encoding)
    return this.#readsSource
  }
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one === other || one.every((length, axis) => length === other[axis])
}

/** The codings of arrays and of their plans, each of them one for all chunks. */
export class Codings {
  readonly #stored = new WeakMap<StoredArray, Coding[]>()
  readonly #targets = new WeakMap<WireFormat, Coding>()
  readonly #plain = new WeakMap<VirtualArray, Coding>()
  readonly #names = new WeakMap<Coding, string>()
  /** No other world has it. */
  readonly id = crypto.randomUUID()
  #named = 0

  /** Of the chunks of an array as they are stored; `encoding` is the place in its list. */
  stored(array: StoredArray, encoding: number): Coding {
    const known = this.#stored.get(array) ?? []
    this.#stored.set(array, known)
    known[encoding] ??= codingOf(array, array.encodings[encoding] ?? [])
    return known[encoding]
  }

  /** Of elements of an array as they are: how chunks are held that are computed or cut from others. */
  plain(array: VirtualArray): Coding {
    const known = this.#plain.get(array)
    const coding = known ?? codingOf(array, plainEncoding(array.dataType))
    if (known === undefined) this.#plain.set(array, coding)
    return coding
  }

  /** A name for what is coded so, in all worlds: chunks that are made are kept under it. */
  nameOf(coding: Coding): string {
    const name = this.#names.get(coding) ?? `${this.id}.${this.#named++}`
    this.#names.set(coding, name)
    return name
  }

  /** Of the chunks of an array as they go out. */
  target(array: VirtualArray, plan: WireFormat): Coding {
    const coding = this.#targets.get(plan) ?? codingOf(array, plan.codecs)
    this.#targets.set(plan, coding)
    return coding
  }
}

function plainEncoding({ kind }: DataType): Encoding {
  if (kind === 'string') return [{ name: 'vlen-utf8', configuration: {} }]
  if (kind === 'bytes') return [{ name: 'vlen-bytes', configuration: {} }]
  return rawEncoding('little')
}

function codingOf({ chunkShape: shape, dataType, fillValue }: VirtualArray, encoding: Encoding): Coding {
  return new Coding({ encoding, layout: { shape, dataType }, fillValue })
}

/** Shape of a chunk as it is stored. */
export function storedShapeOf(array: StoredArray, coords: readonly number[]): number[] {
  return array.chunkShape.map((length, axis) => {
    const start = (coords[axis] ?? 0) * length
    return array.edges === 'cropped' ? Math.min(length, (array.shape[axis] ?? 0) - start) : length
  })
}

/** Shape of the part of a chunk that lies in the array; undefined for all of it. */
export function insideOf({ shape, chunkShape }: VirtualArray, coords: readonly number[]): number[] | undefined {
  const inside = chunkShape.map((length, axis) => Math.min(length, (shape[axis] ?? 0) - (coords[axis] ?? 0) * length))
  return inside.every((length, axis) => length === chunkShape[axis]) ? undefined : inside
}
