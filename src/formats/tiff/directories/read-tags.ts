// TIFF 6.0 section 2: values of fields.

import type { Endian } from '../../../bytes/cursor.ts'
import { Cursor } from '../../../bytes/cursor.ts'
import { anyText } from '../../../bytes/text.ts'
import { malformed, overBudget } from '../../../errors.ts'
import { encodingGuessed } from '../../../model/guessed-text.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { COMPRESSION } from '../compression.ts'
import { readOldJpegHeader } from '../old-jpeg.ts'
import type { FileHeader } from './file-header.ts'
import type { Field, Ifd } from './ifd.ts'
import { TAG, WANTED } from './tags.ts'

/** The values of one directory's fields, but for the tables of offsets and byte counts. */
export class Tags {
  readonly ifd: Ifd
  readonly endian: Endian
  readonly #values: ReadonlyMap<number, Uint8Array>
  readonly #guessed: (tag: number) => void

  /** `guessed` is told of tags whose text is not UTF-8. */
  constructor(ifd: Ifd, endian: Endian, values: ReadonlyMap<number, Uint8Array>, guessed: (tag: number) => void) {
    this.ifd = ifd
    this.endian = endian
    this.#values = values
    this.#guessed = guessed
  }

  /** The bytes of a field; undefined where there is none. An essential field that can't be read throws. */
  bytes(tag: number): Uint8Array | undefined {
    const value = this.#values.get(tag)
    const field = this.ifd.fields.get(tag)
    if (value === undefined && field !== undefined && WANTED.get(tag)?.essential === true) throw unreadable(field)
    return value
  }

  /** All values of a field as numbers; rationals are divided. */
  numbers(tag: number): readonly number[] | undefined {
    const bytes = this.bytes(tag)
    const field = this.ifd.fields.get(tag)
    return bytes === undefined || field === undefined ? undefined : numbersOf(bytes, field.type, this.endian)
  }

  /** The first value of a field. */
  number(tag: number): number | undefined {
    return this.numbers(tag)?.[0]
  }

  /** Text up to its first NUL; undefined when absent. The standard knows ASCII only, and writers do as they like. */
  text(tag: number): string | undefined {
    const bytes = this.bytes(tag)
    if (bytes === undefined) return undefined
    const end = bytes.indexOf(0)
    return this.textOf(tag, 0, end < 0 ? bytes.length : end)
  }

  /** A part of a tag's text. */
  textOf(tag: number, start: number, end: number): string {
    return anyText(this.bytes(tag)?.subarray(start, end) ?? new Uint8Array(0), () => this.#guessed(tag))
  }
}

/** Bytes that values may take in one file: the same values may be read for every directory. */
export class ValueBudget {
  #left = 32 * 2 ** 20

  /** Throws `limit-exceeded` when there are more. */
  take(length: number): void {
    this.#left -= length
    if (this.#left < 0) throw overBudget('the values of the directories take more than 32 MiB')
  }
}

export interface TagReading {
  readonly source: Source
  readonly header: FileHeader
  readonly context: ParseContext
  readonly budget: ValueBudget
}

/** Reads the values of the wanted fields at once. */
export async function readTags(ifd: Ifd, reading: TagReading): Promise<Tags> {
  const { header, context } = reading
  const values = new Map<number, Uint8Array>()
  const reads = [...ifd.fields.values()].map(async (field) => {
    const bytes = await readField(field, reading)
    if (bytes !== undefined) values.set(field.tag, bytes)
  })
  await Promise.all(reads)
  const told = new Set<number>()
  const tags = new Tags(ifd, header.endian, values, (tag) => {
    if (told.has(tag)) return
    told.add(tag)
    context.warn(encodingGuessed('text', `the text of tag ${tag}`, undefined, [String(tag)]))
  })
  // What all blocks share is elsewhere in the old kind, and can't be in the tag of the new one.
  if (tags.number(TAG.compression) === COMPRESSION.oldJpeg)
    values.set(TAG.jpegTables, await readOldJpegHeader(tags, reading))
  return tags
}

async function readField(field: Field, { source, context, budget }: TagReading): Promise<Uint8Array | undefined> {
  const wanted = WANTED.get(field.tag)
  if (wanted === undefined) return undefined
  const length = field.size * field.count
  if (field.inline !== undefined) return field.inline.subarray(0, length)
  if (length <= wanted.most && field.position + length <= source.size) {
    budget.take(length)
    // A copy: a view would keep the block alive that it was read in.
    return (await source.read({ offset: field.position, length }, context)).slice()
  }
  if (!wanted.essential) {
    const message = `tag ${field.tag} can't be read (${length} bytes at ${field.position}): it is left out`
    context.warn({ code: 'tag-dropped', message })
  }
  return undefined
}

function unreadable({ tag, count, position }: Field): Error {
  return malformed(`tag ${tag} with ${count} values can't be read at byte ${position}`, { offset: position })
}

/** TIFF 6.0 page 15; text and undefined bytes are numbers from 0 to 255. */
function numbersOf(bytes: Uint8Array, type: number, endian: Endian): number[] {
  const cursor = new Cursor(bytes, endian)
  const read = readerOf(cursor, type)
  const numbers: number[] = []
  while (cursor.remaining > 0) numbers.push(read())
  return numbers
}

function readerOf(cursor: Cursor, type: number): () => number {
  switch (type) {
    case 3:
      return () => cursor.u16()
    case 4:
    case 13:
      return () => cursor.u32()
    case 5:
      return () => cursor.u32() / cursor.u32()
    case 6:
      return () => cursor.i8()
    case 8:
      return () => cursor.i16()
    case 9:
      return () => cursor.i32()
    case 10:
      return () => cursor.i32() / cursor.i32()
    case 11:
      return () => cursor.f32()
    case 12:
      return () => cursor.f64()
    case 16:
    case 18:
      return () => Number(cursor.bigU64())
    case 17:
      return () => Number(cursor.bigI64())
  }
  return () => cursor.u8()
}
