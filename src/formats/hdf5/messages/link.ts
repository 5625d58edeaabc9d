// HDF5 File Format Specification, section IV.A.2.g "The Link Message".
import type { FileCursor } from '../file-cursor.ts'

/** What a name in a group stands for. */
export type LinkTarget =
  | { readonly kind: 'hard'; readonly address: number }
  | { readonly kind: 'soft'; readonly path: string }
  | { readonly kind: 'external'; readonly file: string; readonly path: string }
  | { readonly kind: 'user-defined'; readonly type: number }

export interface Link {
  readonly name: string
  readonly target: LinkTarget
  /** When it was made, where the group keeps that. */
  readonly order: number | undefined
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Names are UTF-8 whatever the message says: ASCII is a part of it, and writers of other bytes say ASCII too. */
export function linkText(bytes: Uint8Array): string {
  return UTF8.decode(bytes)
}

export function parseLink(cursor: FileCursor): Link {
  cursor.oneOf('link message version', [1])
  const flags = cursor.u8()
  const type = (flags & 0x08) === 0 ? 0 : cursor.u8()
  const order = (flags & 0x04) === 0 ? undefined : cursor.uint(8)
  if ((flags & 0x10) !== 0) cursor.skip(1)
  const name = linkText(cursor.take(cursor.uint(1 << (flags & 3))))
  return { name, target: parseTarget(cursor, type), order }
}

function parseTarget(cursor: FileCursor, type: number): LinkTarget {
  if (type === 0) return { kind: 'hard', address: cursor.definedAddress('a linked object') }
  const value = cursor.part(cursor.u16())
  if (type === 1) return { kind: 'soft', path: linkText(value.take(value.remaining)) }
  if (type !== 64) return { kind: 'user-defined', type }
  value.skip(1)
  return { kind: 'external', file: linkText(value.terminated()), path: linkText(value.terminated()) }
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
