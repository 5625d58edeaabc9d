// HDF5 File Format Specification, section IV.A.2.g "The Link Message".
import { anyText, latin1Text } from '../../../bytes/text.ts'
import type { FileCursor } from '../structures/file-cursor.ts'

/** A name or a path in the file. */
export interface StoredText {
  /** As it is served: two that differ in their bytes may be the same here. */
  readonly text: string
  /** A character for every byte: what names are found by. */
  readonly stored: string
  /** It is not UTF-8. */
  readonly isGuessed: boolean
}

/** What a name in a group stands for. */
export type LinkTarget =
  | { readonly kind: 'hard'; readonly address: number }
  | { readonly kind: 'soft'; readonly path: StoredText }
  | { readonly kind: 'external'; readonly file: string; readonly path: string }
  | { readonly kind: 'user-defined'; readonly type: number }

export interface Link {
  /** As it is served: unique in its group. */
  readonly name: string
  readonly stored: string
  readonly isGuessed: boolean
  readonly target: LinkTarget
  /** When it was made, where the group keeps that. */
  readonly order: number | undefined
}

/** A name as its bytes are: they are not always what the message says of them. */
export function storedText(bytes: Uint8Array): StoredText {
  let isGuessed = false
  const text = anyText(bytes, () => {
    isGuessed = true
  })
  // Text that is as long as its bytes is ASCII, or Latin-1 already.
  return { text, stored: text.length === bytes.length ? text : latin1Text(bytes), isGuessed }
}

export function parseLink(cursor: FileCursor): Link {
  cursor.oneOf('link message version', [1])
  const flags = cursor.u8()
  const type = (flags & 0x08) === 0 ? 0 : cursor.u8()
  const order = (flags & 0x04) === 0 ? undefined : cursor.uint(8)
  if ((flags & 0x10) !== 0) cursor.skip(1)
  const name = storedText(cursor.take(cursor.uint(1 << (flags & 3))))
  return linkOf(name, parseTarget(cursor, type), order)
}

export function linkOf(name: StoredText, target: LinkTarget, order?: number): Link {
  const { text, stored, isGuessed } = name
  return { name: text, stored, isGuessed, target, order }
}

function parseTarget(cursor: FileCursor, type: number): LinkTarget {
  if (type === 0) return { kind: 'hard', address: cursor.definedAddress('a linked object') }
  const value = cursor.part(cursor.u16())
  if (type === 1) return { kind: 'soft', path: storedText(value.take(value.remaining)) }
  if (type !== 64) return { kind: 'user-defined', type }
  value.skip(1)
  return { kind: 'external', file: anyText(value.terminated()), path: anyText(value.terminated()) }
}

/** Where a group, or the attributes of an object, are kept when there are many: a heap, and a B-tree of names. */
export interface DenseStorage {
  readonly heap: number
  readonly names: number
}

/** Section IV.A.2.c "The Link Info Message"; undefined while the links are in the header itself. */
export function parseLinkInfo(cursor: FileCursor): DenseStorage | undefined {
  cursor.oneOf('link info version', [0])
  if ((cursor.u8() & 1) !== 0) cursor.skip(8)
  return parseDense(cursor)
}

/** Section IV.A.2.v "The Attribute Info Message"; undefined while the attributes are in the header itself. */
export function parseAttributeInfo(cursor: FileCursor): DenseStorage | undefined {
  cursor.oneOf('attribute info version', [0])
  if ((cursor.u8() & 1) !== 0) cursor.skip(2)
  return parseDense(cursor)
}

function parseDense(cursor: FileCursor): DenseStorage | undefined {
  const heap = cursor.address()
  const names = cursor.address()
  return heap === undefined || names === undefined ? undefined : { heap, names }
}
