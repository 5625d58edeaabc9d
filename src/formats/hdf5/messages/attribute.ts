// HDF5 File Format Specification, section IV.A.2.m "The Attribute Message".

import { anyText } from '../../../bytes/text.ts'
import type { FileCursor } from '../structures/file-cursor.ts'
import { SHARED } from '../structures/object-header.ts'

/** An attribute whose type and space may be shared ones: `isShared` says that the bytes are a pointer. */
export interface AttributeMessage {
  readonly name: string
  /** Its name is not UTF-8. */
  readonly isGuessed: boolean
  readonly type: MessagePart
  readonly space: MessagePart
  readonly data: Uint8Array
}

interface MessagePart {
  readonly bytes: Uint8Array
  readonly offset: number
  readonly flags: number
}

export function parseAttribute(cursor: FileCursor): AttributeMessage {
  const version = cursor.oneOf('attribute version', [1, 2, 3])
  const flags = cursor.u8()
  const [nameBytes, typeBytes, spaceBytes] = [cursor.u16(), cursor.u16(), cursor.u16()]
  if (version === 3) cursor.skip(1)
  const padded = (length: number) => (version === 1 ? Math.ceil(length / 8) * 8 : length)
  const raw = cursor.take(padded(nameBytes ?? 0))
  const end = raw.indexOf(0)
  let isGuessed = false
  const name = anyText(end < 0 ? raw : raw.subarray(0, end), () => {
    isGuessed = true
  })
  const isShared = version === 1 ? 0 : flags
  const type = partOf(cursor, padded(typeBytes ?? 0), (isShared & 1) === 0 ? 0 : SHARED)
  const space = partOf(cursor, padded(spaceBytes ?? 0), (isShared & 2) === 0 ? 0 : SHARED)
  return { name, isGuessed, type, space, data: cursor.take(cursor.remaining) }
}

function partOf(cursor: FileCursor, length: number, flags: number): MessagePart {
  const offset = cursor.offset
  return { offset, flags, bytes: cursor.take(length) }
}
