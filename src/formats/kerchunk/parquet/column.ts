// Apache Parquet, "Data Pages": the values of one column of one row group.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Cursor } from '../../../bytes/cursor.ts'
import { inflateZstd } from '../../../codecs/kernels/inflate.ts'
import { decodeLz4Block } from '../../../codecs/kernels/lz4.ts'
import { decodeSnappy } from '../../../codecs/kernels/snappy.ts'
import { malformed, overLimit, unsupported } from '../../../errors.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'
import type { ColumnChunk } from './footer.ts'
import { readDeltas, readHybrid } from './hybrid.ts'
import { numberField, readStruct, structField, type ThriftStruct } from './thrift.ts'

/** A value of a column of references; null where there is none. */
export type Cell = number | Uint8Array | null

const MOST_COLUMN_BYTES = 128 * 2 ** 20
const MOST_PAGE_BYTES = 128 * 2 ** 20
const PLAIN = 0
const DICTIONARIES = new Set([2, 8])
const DELTA = 5
const DELTA_LENGTH = 6
const DELTA_BYTES = 7

/** A page as it is stored. */
interface StoredPage {
  readonly header: ThriftStruct
  readonly bytes: Uint8Array
  /** Of what it inflates to. */
  readonly size: number
}

/** A page of values. */
interface Page {
  readonly values: Cursor
  readonly encoding: number
  readonly count: number
  /** Whether each value is there; undefined where all are. */
  readonly present: Uint32Array | undefined
}

/** Reads a column whole; no page makes more values than the row group has rows. */
export async function readColumn(
  source: Source,
  column: ColumnChunk,
  rows: number,
  isOptional: boolean,
  options: ReadOptions,
): Promise<Cell[]> {
  if (column.length > MOST_COLUMN_BYTES)
    throw overLimit(`a column of ${column.length} bytes, at most ${MOST_COLUMN_BYTES} are read`)
  const bytes = await source.read({ offset: column.offset, length: column.length }, options)
  const cursor = new Cursor(bytes, 'little', { base: column.offset })
  const cells: Cell[] = []
  let dictionary: readonly Cell[] = []
  let inflated = 0
  while (cells.length < rows) {
    const page = nextPage(cursor)
    inflated += page.size
    if (page.size < 0 || inflated > MOST_PAGE_BYTES)
      throw overLimit(`a column that inflates to more than ${MOST_PAGE_BYTES} bytes`)
    const type = numberField(page.header, 1)
    const left = rows - cells.length
    if (type === 2) dictionary = parseDictionary(page, column, cursor)
    else if (type === 0) append(cells, parsePageV1(page, column, left, isOptional, cursor), column.type, dictionary)
    else if (type === 3) append(cells, parsePageV2(page, column, left, isOptional, cursor), column.type, dictionary)
    else throw unsupported('Parquet page', `a page of type ${type}`)
  }
  if (cells.length > rows) throw cursor.fail(`a column of ${cells.length} values in a row group of ${rows}`)
  return cells
}

function nextPage(cursor: Cursor): StoredPage {
  const header = readStruct(cursor)
  const size = numberField(header, 2) ?? -1
  return { header, size, bytes: cursor.take(numberField(header, 3) ?? -1) }
}

function parseDictionary({ header, bytes, size }: StoredPage, { codec, type }: ColumnChunk, place: Cursor): Cell[] {
  const count = countOf(structField(header, 7) ?? new Map(), 1, 2 ** 22, place)
  return plain(new Cursor(decompressed(bytes, size, codec), 'little'), type, count)
}

function parsePageV1(
  { header, bytes, size }: StoredPage,
  { codec }: ColumnChunk,
  most: number,
  isOptional: boolean,
  place: Cursor,
): Page {
  const about = structField(header, 5) ?? new Map()
  const count = countOf(about, 1, most, place)
  const values = new Cursor(decompressed(bytes, size, codec), 'little')
  const levels = isOptional ? new Cursor(values.take(values.u32()), 'little') : undefined
  const present = levels === undefined ? undefined : readHybrid(levels, 1, count)
  return { values, encoding: numberField(about, 2) ?? -1, count, present }
}

/** Its levels are never compressed. */
function parsePageV2(
  { header, bytes, size }: StoredPage,
  { codec }: ColumnChunk,
  most: number,
  isOptional: boolean,
  place: Cursor,
): Page {
  const about = structField(header, 8) ?? new Map()
  const count = countOf(about, 1, most, place)
  const definition = countOf(about, 5, bytes.length, place)
  const repetition = countOf(about, 6, bytes.length - definition, place)
  const levels = new Cursor(bytes.subarray(repetition, repetition + definition), 'little')
  const body = bytes.subarray(repetition + definition)
  const isCompressed = about.get(7) !== false
  const length = size - repetition - definition
  const values = new Cursor(isCompressed ? decompressed(body, length, codec) : body, 'little')
  const present = isOptional ? readHybrid(levels, 1, count) : undefined
  return { values, encoding: numberField(about, 4) ?? -1, count, present }
}

function countOf(struct: ThriftStruct, id: number, most: number, place: Cursor): number {
  const count = numberField(struct, id) ?? 0
  if (count < 0 || count > most) throw place.fail(`a page says ${count}, expected at most ${most}`)
  return count
}

function append(
  cells: Cell[],
  { values, encoding, count, present }: Page,
  type: number,
  dictionary: readonly Cell[],
): void {
  const there = present === undefined ? count : present.reduce((sum, flag) => sum + flag, 0)
  const found = decoded(values, encoding, type, there, dictionary)
  if (found.length < there) throw values.fail(`${found.length} values, expected ${there}`)
  let next = 0
  for (let index = 0; index < count; index++) {
    cells.push(present === undefined || present[index] === 1 ? (found[next++] ?? null) : null)
  }
}

function decoded(
  values: Cursor,
  encoding: number,
  type: number,
  count: number,
  dictionary: readonly Cell[],
): readonly Cell[] {
  if (encoding === PLAIN) return plain(values, type, count)
  if (DICTIONARIES.has(encoding)) {
    if (count === 0) return []
    const indexes = readHybrid(values, values.u8(), count)
    return Array.from(indexes, (index) => {
      const cell = dictionary[index]
      if (cell === undefined) throw values.fail(`value ${index} of a dictionary of ${dictionary.length}`)
      return cell
    })
  }
  if (encoding === DELTA) return Array.from(readDeltas(values, count), (value) => safe(Number(value), values))
  if (encoding === DELTA_LENGTH) return byteArrays(values, readDeltas(values, count))
  if (encoding === DELTA_BYTES) {
    const shared = readDeltas(values, count)
    return joined(shared, byteArrays(values, readDeltas(values, count)), values)
  }
  throw unsupported('Parquet encoding', `values in encoding ${encoding}`)
}

function plain(cursor: Cursor, type: number, count: number): Cell[] {
  const cells: Cell[] = []
  for (let index = 0; index < count; index++) {
    if (type === 6) cells.push(cursor.take(cursor.u32()))
    else if (type === 2) cells.push(safe(Number(cursor.bigI64()), cursor))
    else if (type === 1) cells.push(cursor.i32())
    else if (type === 5) cells.push(cursor.f64())
    else throw unsupported('Parquet type', `a column of type ${type}`)
  }
  return cells
}

function safe(value: number, cursor: Cursor): number {
  if (!Number.isSafeInteger(value)) throw cursor.fail(`${value} is beyond 2^53`)
  return value
}

function byteArrays(cursor: Cursor, lengths: BigInt64Array): Uint8Array[] {
  return Array.from(lengths, (length) => cursor.take(Number(length)))
}

/** DELTA_BYTE_ARRAY: each value begins with some bytes of the one before. */
function joined(shared: BigInt64Array, rests: readonly Uint8Array[], cursor: Cursor): Uint8Array[] {
  let last: Uint8Array = new Uint8Array(0)
  let total = 0
  return rests.map((rest, index) => {
    const length = Number(shared[index] ?? 0n)
    total += length + rest.length
    if (length < 0 || length > last.length || total > MOST_PAGE_BYTES)
      throw cursor.fail(`a value that shares ${length} bytes with the one before`)
    last = Buffer.concat([last.subarray(0, length), rest])
    return last
  })
}

/** CompressionCodec of parquet.thrift. */
function decompressed(bytes: Uint8Array, size: number, codec: number): Uint8Array {
  const content = inflate(bytes, size, codec)
  if (content.length === size) return content
  throw malformed(`a page of ${content.length} bytes, expected ${size}`)
}

function inflate(bytes: Uint8Array, size: number, codec: number): Uint8Array {
  if (size === 0) return new Uint8Array(0)
  try {
    switch (codec) {
      case 0:
        return bytes
      case 1: {
        const target = new Uint8Array(size)
        return target.subarray(0, decodeSnappy(bytes, target))
      }
      case 2:
        return gunzipSync(bytes, { maxOutputLength: size })
      case 4:
        return brotliDecompressSync(bytes, { maxOutputLength: size })
      case 6:
        return inflateZstd(bytes, size)
      case 7: {
        const target = new Uint8Array(size)
        return target.subarray(0, decodeLz4Block(bytes, target))
      }
    }
  } catch (cause) {
    throw malformed('a page that does not decompress', {}, cause)
  }
  throw unsupported('Parquet compression', `pages compressed by codec ${codec} of Parquet`)
}
