// Thrift's compact protocol, which Parquet's structures are written in: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
import type { Cursor } from '../../../bytes/cursor.ts'
import { anyText } from '../../../bytes/text.ts'

export type ThriftValue = boolean | number | Uint8Array | readonly ThriftValue[] | ThriftStruct
export type ThriftStruct = ReadonlyMap<number, ThriftValue>

const MOST_DEPTH = 16
const MOST_FIELDS = 100_000

/** Reads one struct, fields by their number. */
export function readStruct(cursor: Cursor, depth = 0): ThriftStruct {
  if (depth > MOST_DEPTH) throw cursor.fail(`structures nested more than ${MOST_DEPTH} levels deep`)
  const fields = new Map<number, ThriftValue>()
  let id = 0
  while (true) {
    const head = cursor.u8()
    const type = head & 15
    if (type === 0) return fields
    id = head >> 4 === 0 ? zigzag(cursor) : id + (head >> 4)
    fields.set(id, type === 1 || type === 2 ? type === 1 : readValue(cursor, type, depth))
    if (fields.size > MOST_FIELDS) throw cursor.fail(`a structure of more than ${MOST_FIELDS} fields`)
  }
}

function readValue(cursor: Cursor, type: number, depth: number): ThriftValue {
  switch (type) {
    case 1:
    case 2:
      return cursor.u8() === 1
    case 3:
      return cursor.i8()
    case 4:
    case 5:
    case 6:
      return zigzag(cursor)
    case 7:
      return cursor.f64()
    case 8:
      return cursor.take(varint(cursor))
    case 9:
    case 10:
      return readList(cursor, depth)
    case 12:
      return readStruct(cursor, depth + 1)
  }
  throw cursor.fail(`a value of type ${type}, which Parquet does not use`)
}

function readList(cursor: Cursor, depth: number): readonly ThriftValue[] {
  if (depth > MOST_DEPTH) throw cursor.fail(`lists nested more than ${MOST_DEPTH} levels deep`)
  const head = cursor.u8()
  const count = head >> 4 === 15 ? varint(cursor) : head >> 4
  // Each element takes a byte at least.
  if (count > cursor.remaining) throw cursor.fail(`a list of ${count} in the last ${cursor.remaining} bytes`)
  return Array.from({ length: count }, () => readValue(cursor, head & 15, depth + 1))
}

/** An unsigned number of seven bits a byte, up to 2^53. */
export function varint(cursor: Cursor): number {
  let value = 0
  for (let scale = 1; ; scale *= 128) {
    const byte = cursor.u8()
    value += (byte & 127) * scale
    if (byte < 128) break
    if (scale > 2 ** 63) throw cursor.fail('a number of more than ten bytes')
  }
  return value
}

function zigzag(cursor: Cursor): number {
  const value = varint(cursor)
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

export function numberField(struct: ThriftStruct, id: number): number | undefined {
  const value = struct.get(id)
  return typeof value === 'number' ? value : undefined
}

export function textField(struct: ThriftStruct, id: number): string {
  const value = struct.get(id)
  return value instanceof Uint8Array ? anyText(value) : ''
}

export function structField(struct: ThriftStruct, id: number): ThriftStruct | undefined {
  const value = struct.get(id)
  return value instanceof Map ? value : undefined
}

export function listField(struct: ThriftStruct, id: number): readonly ThriftValue[] {
  const value = struct.get(id)
  return Array.isArray(value) ? value : []
}
