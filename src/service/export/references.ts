import type { Cut, DeliveryWorld, Way } from '../../delivery/delivery.ts'
import { type GridChunk, type ObjectRef, openObject } from '../../delivery/open-object.ts'
import { unsupported } from '../../errors.ts'
import { formats } from '../../formats/registry.ts'
import { gridShapeOf } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import type { StoredCodec } from '../../model/encoding.ts'
import { elementCount } from '../../model/shape.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { SourceCondition } from '../../source/source.ts'
import { unescapedLocation } from '../../source/source-url.ts'
import { refersElsewhere } from '../open-source.ts'
import type { StoreDescription } from '../store-service.ts'
import type { StoredGrid } from './grid.ts'

/** A reference as other tools read it, its URL in their spelling. */
export type ExportedReference =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'range'
      readonly url: string
      readonly offset: number
      readonly length: number
      /** The version of the file, for readers that ask for it. */
      readonly condition?: SourceCondition | undefined
    }
  /** Of unknown length: for Kerchunk only. */
  | { readonly kind: 'object'; readonly url: string }

/** An array as references describe it. */
export interface ExportedArray {
  /** What its document says. */
  readonly array: VirtualArray
  readonly codecs: readonly StoredCodec[]
  readonly gridShape: readonly number[]
  /** Undefined for a chunk that was never written; throws `unsupported-feature` for one that no reference can name. */
  reference(coords: readonly number[]): Promise<ExportedReference | undefined>
}

/** One end of what a reference names. */
export interface ObjectEnd {
  readonly place: ExportedReference
  readonly bytes: Uint8Array
  /** Length of the whole. */
  readonly length: number
}

/** Features of a source that no reference can lead into. */
export const COMPRESSED_FILE = 'compressed source'
export const SECRET_URL = 'secret URL'

/** Chunks whose index is looked at before it is known whether they lie in the file. */
const MAX_CHUNKS_LOOKED_UP = 64

/** Objects that are asked for: whether they exist, or what is at their end. */
const MOST_ASKED = 20_000

/**
 * What references are written for: Kerchunk's know Zarr v2 alone, and no versions of files; Icechunk's are of Zarr v3, to one version of
 * a file, and must tell how long it is.
 */
export type ExportTarget = 'kerchunk' | 'icechunk'

interface SourcePlace {
  readonly url: string
  /** As other tools spell it. */
  readonly location: string
}

/** Makes references of chunks. URLs are looked up once a source. */
export class ReferenceExporter {
  readonly #description: Pick<StoreDescription, 'parsed' | 'world'>
  readonly world: DeliveryWorld
  readonly target: ExportTarget
  readonly #places = new Map<number, SourcePlace>()
  /** By number of the source, where its host tells. */
  readonly #conditions = new Map<number, SourceCondition | undefined>()
  #asked = 0

  constructor(description: Pick<StoreDescription, 'parsed' | 'world'>, target: ExportTarget = 'kerchunk') {
    this.#description = description
    this.target = target
    this.world = description.world
  }

  /** References that count from a source of a join. */
  async ofPart(part: number): Promise<{ readonly exporter: ReferenceExporter; readonly url: string }> {
    const { parts } = this.#description.parsed
    if (parts === undefined) throw unsupported('parts', 'an array names sources of a store that is no join')
    const opened = await parts.opened(part)
    return { exporter: new ReferenceExporter(opened, this.target), url: opened.parsed.publicUrl }
  }

  /**
   * Throws where no reference can lead into the file that the array's chunks lie in, before an index of many chunks is read for them.
   * Chunks of an index (Kerchunk's) lie elsewhere; few chunks may be values at hand, and are looked at.
   */
  requireFile({ shape, chunkShape }: VirtualArray): void {
    const { parsed } = this.#description
    const format = formats.find(({ name }) => name === parsed.format)
    const isOwn = format !== undefined && !refersElsewhere(format, parsed)
    if (isOwn && elementCount(gridShapeOf(shape, chunkShape)) > MAX_CHUNKS_LOOKED_UP)
      this.#requireNameable(0, parsed.url)
  }

  /** The chunks of an array as they are stored. */
  chunksOf({ array, codecs, ways }: StoredGrid): ExportedArray {
    const { chunks } = array
    const reference = async (coords: readonly number[]) =>
      await this.#reference(await chunks.at(coords), { array, coords }, ways)
    return { array, codecs, gridShape: chunks.gridShape, reference }
  }

  /** The bytes at one end of a stored chunk, with its length; undefined for one that was never written. */
  async endOf(ref: ChunkRef, chunk: GridChunk, length: number, end: 'start' | 'end'): Promise<ObjectEnd | undefined> {
    if (ref.kind === 'inline') {
      const bytes = end === 'start' ? ref.bytes.subarray(0, length) : ref.bytes.subarray(-length)
      return { place: { kind: 'inline', bytes: ref.bytes }, bytes, length: ref.bytes.length }
    }
    if (ref.kind === 'missing') return undefined
    this.#countAsked()
    if (ref.kind === 'object') return await this.#objectEnd(ref, chunk, length, end)
    if (ref.kind !== 'range') throw gathered()
    const source = await this.world.source(ref.source, undefined, ref.key)
    const url = this.#locationOf(ref, await this.#place(ref.source))
    const place = { kind: 'range', url, offset: ref.offset, length: ref.length } as const
    const wanted = Math.min(length, ref.length)
    const offset = end === 'start' ? ref.offset : ref.offset + ref.length - wanted
    return { place, bytes: await source.read({ offset, length: wanted }), length: ref.length }
  }

  async #objectEnd(
    ref: ObjectRef,
    chunk: GridChunk,
    length: number,
    end: 'start' | 'end',
  ): Promise<ObjectEnd | undefined> {
    const part = end === 'start' ? ({ kind: 'from', offset: 0, length } as const) : ({ kind: 'last', length } as const)
    const object = await openObject(chunk, ref, this.world, { part })
    if (object === undefined) return undefined
    const wanted = Math.min(length, object.size)
    const bytes = await object.read({ offset: end === 'start' ? 0 : object.size - wanted, length: wanted })
    const url = this.#locationOf(ref, await this.#place(ref.source))
    return { place: { kind: 'object', url }, bytes, length: object.size }
  }

  async #reference(ref: ChunkRef, chunk: GridChunk, ways: readonly Way[]): Promise<ExportedReference | undefined> {
    if (ref.kind === 'missing') return undefined
    if (ref.kind === 'ranges' || ref.kind === 'strided') throw gathered()
    const { leading, trailing } = cutOf(ways[ref.encoding])
    switch (ref.kind) {
      case 'inline':
        return { kind: 'inline', bytes: ref.bytes.subarray(leading, ref.bytes.length - trailing) }
      case 'range': {
        if (ref.prefix !== undefined) throw unsupported('prefixed chunks', 'its chunks are decoded by the server')
        const url = this.#locationOf(ref, this.#places.get(ref.source) ?? (await this.#place(ref.source)))
        const range = { offset: ref.offset + leading, length: ref.length - leading - trailing }
        return { kind: 'range', url, ...range, condition: await this.#conditionOf(ref) }
      }
      case 'object': {
        if (leading + trailing > 0) throw unsupported('cut chunks', 'its chunks are parts of objects of unknown length')
        const place = this.#places.get(ref.source) ?? (await this.#place(ref.source))
        const url = this.#locationOf(ref, place)
        if (this.target === 'icechunk') return await this.#measured(ref, chunk, url)
        if (ref.isRequired !== true && !(await this.#exists(ref, chunk))) return undefined
        return { kind: 'object', url }
      }
    }
  }

  /** Readers of references take an object that is absent for a failure: only asking tells which chunks were written. */
  async #exists(ref: ObjectRef, chunk: GridChunk): Promise<boolean> {
    this.#countAsked()
    return (await openObject(chunk, ref, this.world, { headOnly: true })) !== undefined
  }

  /** An object with its length and its version, which only its host knows. */
  async #measured(ref: ObjectRef, chunk: GridChunk, url: string): Promise<ExportedReference | undefined> {
    this.#countAsked()
    const object = await openObject(chunk, ref, this.world, { headOnly: true })
    if (object === undefined) return undefined
    return { kind: 'range', url, offset: 0, length: object.size, condition: object.condition }
  }

  /** The version of the file that a range is of; one that nobody has read yet is asked, once. */
  async #conditionOf(ref: RangeRef): Promise<SourceCondition | undefined> {
    // An object of its own name never changes.
    if (this.target === 'kerchunk' || ref.key !== undefined) return undefined
    if (!this.#conditions.has(ref.source)) {
      const source = await this.world.source(ref.source)
      if (source.condition === undefined && source.validator === undefined) {
        this.#countAsked()
        await source.read({ offset: ref.offset, length: 1 })
      }
      this.#conditions.set(ref.source, this.#description.parsed.conditions.get(ref.source) ?? source.condition)
    }
    return this.#conditions.get(ref.source)
  }

  #countAsked(): void {
    if (++this.#asked <= MOST_ASKED) return
    throw unsupported('many objects', `more than ${MOST_ASKED} objects would have to be asked for what they hold`)
  }

  async #place(index: number): Promise<SourcePlace> {
    const { parsed } = this.#description
    // Where a source may be in several places, only opening it tells.
    const hasAlternatives = parsed.alternatives.has(index)
    const url = hasAlternatives ? (await this.world.source(index)).url : (parsed.references[index] ?? parsed.url)
    this.#requireNameable(index, url)
    const place = { url, location: this.#spelled(url) }
    this.#places.set(index, place)
    return place
  }

  #requireNameable(index: number, url: string): void {
    const { parsed } = this.#description
    const isInflated = index === 0 && parsed.source !== parsed.documents[0]
    if (isInflated) throw unsupported(COMPRESSED_FILE, 'its chunks lie in a file that is compressed as a whole')
    if (publicUrl(url) !== url) throw unsupported(SECRET_URL, 'the query of its URL may be secret, and is not written')
  }

  #locationOf({ key }: Pick<ObjectRef | RangeRef, 'key'>, { url, location }: SourcePlace): string {
    return key === undefined || key === '' ? location : this.#spelled(new URL(key, url).href)
  }

  /** Icechunk's locations are URLs. */
  #spelled(url: string): string {
    return this.target === 'icechunk' ? url : unescapedLocation(url)
  }
}

type RangeRef = Extract<ChunkRef, { readonly kind: 'range' }>

function cutOf(way: Way | undefined): Cut {
  if (way?.kind === 'pass') return way.cut
  throw unsupported('recoding', 'its chunks are recoded by the server')
}

function gathered(): Error {
  return unsupported('gathered chunks', 'its chunks are gathered from several ranges')
}
