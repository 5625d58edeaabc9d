// HDF Specification and Developer's Guide, section 10: extended tags. Elements whose own bytes say where and how their content is stored.
import type { Cursor } from '../../../bytes/cursor.ts'
import { malformed, unsupported } from '../../../errors.ts'
import type { ReadOptions } from '../../../source/source.ts'
import { type ChunkedElement, parseChunked } from './chunked.ts'
import { type Coder, parseCoder } from './coder.ts'
import type { Descriptor } from './directory.ts'
import { cursorOf, elementName, type Hdf4File, placeOf, readPlain } from './hdf4-file.ts'
import { readLinkedBlocks } from './linked-blocks.ts'
import { TAG } from './tags.ts'

/** Bytes that follow each other in the content, and lie together in the file; without an offset nobody wrote them. */
export interface Piece {
  readonly offset: number | undefined
  readonly length: number
}

/** How and where the content of an element is stored. */
export type Stored =
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'external'; readonly file: Uint8Array; readonly offset: number; readonly length: number }
  | CompressedElement
  | ChunkedElement

export interface CompressedElement {
  readonly kind: 'compressed'
  /** Of the content. */
  readonly length: number
  readonly coder: Coder
  /** Reference number of the compressed bytes. */
  readonly ref: number
}

const SPECIAL = { linked: 1, external: 2, compressed: 3, variableLinked: 4, chunked: 5, compressedRaster: 7 } as const
/** Headers hold a few numbers for each dimension, and a name at most. */
const MOST_HEADER_BYTES = 65_536

/** Reads how an element is stored. */
export async function readStored(file: Hdf4File, element: Descriptor, options: ReadOptions): Promise<Stored> {
  if (!element.isSpecial) {
    return { kind: 'pieces', pieces: [{ offset: element.offset, length: element.length }] }
  }
  const cursor = await readSpecialHeader(file, element, options)
  const code = cursor.u16()
  switch (code) {
    case SPECIAL.linked:
      return { kind: 'pieces', pieces: await readLinkedBlocks(file, cursor, options) }
    case SPECIAL.external:
      return parseExternal(cursor)
    case SPECIAL.compressed:
      return parseCompressed(cursor)
    case SPECIAL.chunked:
      return parseChunked(cursor)
    case SPECIAL.variableLinked:
    case SPECIAL.compressedRaster:
      throw unsupported('HDF4 special element', `elements stored in the special way ${code} are not read`)
  }
  throw cursor.fail(`${elementName(element)} is stored in the special way ${code}, which is not defined`)
}

export async function readSpecialHeader(file: Hdf4File, element: Descriptor, options: ReadOptions): Promise<Cursor> {
  if (element.length > MOST_HEADER_BYTES) {
    const message = `the header of ${elementName(element)} takes ${element.length} bytes, at most ${MOST_HEADER_BYTES} are expected`
    throw malformed(message, placeOf(file, element))
  }
  return cursorOf(file, await readPlain(file, element, options), element)
}

function parseExternal(cursor: Cursor): Stored {
  const length = cursor.u32()
  const offset = cursor.u32()
  return { kind: 'external', length, offset, file: cursor.take(cursor.u32()).slice() }
}

/** Behind the mark of compressed elements. */
export function parseCompressed(cursor: Cursor): CompressedElement {
  cursor.skip(2)
  const length = cursor.u32()
  const ref = cursor.u16()
  return { kind: 'compressed', length, ref, coder: parseCoder(cursor) }
}

/** Where the bytes of a compressed element lie: together, or in linked blocks. */
export async function readCompressedPieces(
  file: Hdf4File,
  ref: number,
  options: ReadOptions,
): Promise<readonly Piece[]> {
  const element = file.directory.find(TAG.compressed, ref)
  if (element === undefined) return []
  const stored = await readStored(file, element, options)
  if (stored.kind === 'pieces') return stored.pieces
  throw malformed(`${elementName(element)} holds compressed bytes and is itself ${stored.kind}`, placeOf(file, element))
}

/** Bytes that pieces hold together. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
