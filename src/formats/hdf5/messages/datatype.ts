// HDF5 File Format Specification, section IV.A.2.d "The Datatype Message".
import type { Endian } from '../../../bytes/cursor.ts'
import { anyText } from '../../../bytes/text.ts'
import { unsupported } from '../../../errors.ts'
import type { FileCursor } from '../structures/file-cursor.ts'

/** How text shorter than its type ends: at a NUL, filled up with NULs, or with blanks. */
type Padding = 'terminated' | 'nul' | 'space'

/** Numbers may use only some of their bits: `precision` of them from `bitOffset` on. */
interface BitField {
  readonly size: number
  readonly endian: Endian
  readonly bitOffset: number
  readonly precision: number
}

export interface FloatType extends BitField {
  readonly class: 'float'
  readonly isVax: boolean
  readonly signBit: number
  readonly exponentBit: number
  readonly exponentSize: number
  readonly mantissaBit: number
  readonly mantissaSize: number
  readonly exponentBias: number
  /** Whether the first bit of the mantissa is 1 and not stored. */
  readonly isImplied: boolean
}

export interface CompoundMember {
  readonly name: string
  readonly offset: number
  readonly type: Datatype
}

export type Datatype =
  /** The class time is an integer, too: `isTime`. */
  | (BitField & { readonly class: 'integer'; readonly signed: boolean; readonly isTime?: true })
  | FloatType
  | { readonly class: 'string'; readonly size: number; readonly padding: Padding; readonly charset: number }
  | (BitField & { readonly class: 'bitfield' })
  | { readonly class: 'opaque'; readonly size: number; readonly tag: string }
  | { readonly class: 'compound'; readonly size: number; readonly members: readonly CompoundMember[] }
  | { readonly class: 'reference'; readonly size: number; readonly referenceType: number; readonly version: number }
  | {
      readonly class: 'enum'
      readonly size: number
      readonly base: Datatype
      readonly names: readonly string[]
      readonly values: Uint8Array
    }
  | { readonly class: 'vlen'; readonly size: number; readonly base: Datatype }
  | { readonly class: 'vlen-string'; readonly size: number; readonly padding: Padding; readonly charset: number }
  | { readonly class: 'array'; readonly size: number; readonly shape: readonly number[]; readonly base: Datatype }
  | { readonly class: 'complex'; readonly size: number; readonly base: Datatype }

const MOST_DEPTH = 32
const MOST_MEMBERS = 65_535

/** The classes of a type message, by number. */
const CLASSES = [
  'integer',
  'float',
  'time',
  'string',
  'bitfield',
  'opaque',
  'compound',
  'reference',
  'enum',
  'vlen',
  'array',
  'complex',
] as const

interface TypeHead {
  readonly version: number
  readonly bits: number
  readonly size: number
  readonly depth: number
}

/** Reads one type; the cursor is behind it then. */
export function parseDatatype(cursor: FileCursor, depth = 0): Datatype {
  if (depth > MOST_DEPTH) throw cursor.fail(`datatypes within datatypes, more than ${MOST_DEPTH} deep`)
  const at = cursor.offset
  const first = cursor.u8()
  const version = first >> 4
  if (version < 1 || version > 5) throw cursor.fail(`datatype version ${version}, expected 1 to 5`, at)
  const bits = cursor.uint(3)
  const head: TypeHead = { version, bits, size: cursor.u32(), depth }
  const name = CLASSES[first & 15]
  if (name === undefined) throw cursor.fail(`datatype class ${first & 15} is not defined (0 to 11)`, at)
  if (head.size === 0) throw cursor.fail('a datatype of no bytes', at)
  switch (name) {
    case 'integer':
      return { class: name, signed: (bits & 8) !== 0, ...bitField(cursor, head) }
    case 'bitfield':
      return { class: name, ...bitField(cursor, head) }
    case 'float':
      return floatType(cursor, head)
    case 'time':
      return timeType(cursor, head)
    case 'string':
      return { class: name, size: head.size, padding: paddingOf(bits & 15, cursor), charset: (bits >> 4) & 15 }
    case 'opaque':
      return { class: name, size: head.size, tag: anyText(cursor.take(bits & 0xff)).replace(/\0+$/, '') }
    case 'compound':
      return compoundType(cursor, head)
    case 'reference':
      return { class: name, size: head.size, referenceType: bits & 15, version }
    case 'enum':
      return enumType(cursor, head)
    case 'vlen':
      return vlenType(cursor, head)
    case 'array':
      return arrayType(cursor, head)
    case 'complex':
      return complexType(cursor, head)
  }
}

function bitField(cursor: FileCursor, { bits, size }: TypeHead): BitField {
  const bitOffset = cursor.u16()
  const precision = cursor.u16()
  if (precision === 0 || bitOffset + precision > size * 8) {
    throw cursor.fail(`${precision} bits from bit ${bitOffset} on do not fit in ${size} bytes`)
  }
  return { size, endian: (bits & 1) === 0 ? 'little' : 'big', bitOffset, precision }
}

/** Section IV.A.2.d, class 2: all that is said of it is its precision. */
function timeType(cursor: FileCursor, { bits, size }: TypeHead): Datatype {
  const precision = cursor.u16()
  if (precision === 0 || precision > size * 8) throw cursor.fail(`a time of ${precision} bits in ${size} bytes`)
  const endian = (bits & 1) === 0 ? 'little' : 'big'
  return { class: 'integer', signed: true, isTime: true, size, endian, bitOffset: 0, precision }
}

function floatType(cursor: FileCursor, head: TypeHead): FloatType {
  const { bits } = head
  const field = bitField(cursor, head)
  const [exponentBit, exponentSize, mantissaBit, mantissaSize] = [cursor.u8(), cursor.u8(), cursor.u8(), cursor.u8()]
  return {
    class: 'float',
    ...field,
    isVax: (bits & 0x41) === 0x41,
    signBit: (bits >> 8) & 0xff,
    exponentBit: exponentBit ?? 0,
    exponentSize: exponentSize ?? 0,
    mantissaBit: mantissaBit ?? 0,
    mantissaSize: mantissaSize ?? 0,
    exponentBias: cursor.u32(),
    isImplied: ((bits >> 4) & 3) === 2,
  }
}

function paddingOf(code: number, cursor: FileCursor): Padding {
  if (code === 0) return 'terminated'
  if (code === 1) return 'nul'
  if (code === 2) return 'space'
  throw cursor.fail(`string padding ${code}, expected 0 to 2`)
}

function memberName(cursor: FileCursor, version: number): string {
  const start = cursor.position
  const name = anyText(cursor.terminated())
  // Before version 3, names are filled up to a multiple of eight bytes.
  if (version < 3) cursor.skip(Math.min((8 - ((cursor.position - start) % 8)) % 8, cursor.remaining))
  return name
}

function compoundType(cursor: FileCursor, { version, bits, size, depth }: TypeHead): Datatype {
  const count = bits & 0xffff
  if (count > MOST_MEMBERS || count > cursor.remaining)
    throw cursor.fail(`${count} members in ${cursor.remaining} bytes`)
  const offsetBytes = version >= 3 ? minimalBytes(size) : 4
  const members: CompoundMember[] = []
  for (let i = 0; i < count; i++) {
    const name = memberName(cursor, version)
    const offset = cursor.uint(offsetBytes)
    const shape = version === 1 ? oldMemberShape(cursor) : []
    const base = parseDatatype(cursor, depth + 1)
    const type = shape.length === 0 ? base : arrayOf(cursor, base, shape)
    if (offset + type.size > size) throw cursor.fail(`member ${name} ends behind its record of ${size} bytes`)
    members.push({ name, offset, type })
  }
  return { class: 'compound', size, members }
}

/** Version 1: a member may have up to four dimensions of its own. */
function oldMemberShape(cursor: FileCursor): number[] {
  const rank = cursor.u8()
  if (rank > 4) throw cursor.fail(`a member of ${rank} dimensions, expected at most 4`)
  cursor.skip(11)
  const lengths = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()]
  return lengths.slice(0, rank)
}

function arrayOf(cursor: FileCursor, base: Datatype, shape: readonly number[]): Datatype {
  const size = shape.reduce((product, length) => product * length, base.size)
  if (!Number.isSafeInteger(size) || size === 0) throw cursor.fail(`an array type of shape [${shape}]`)
  return { class: 'array', size, shape, base }
}

function minimalBytes(size: number): number {
  if (size < 0x100) return 1
  if (size < 0x10000) return 2
  return size < 0x1000000 ? 3 : 4
}

function enumType(cursor: FileCursor, { version, bits, size, depth }: TypeHead): Datatype {
  const count = bits & 0xffff
  const base = parseDatatype(cursor, depth + 1)
  if (base.class !== 'integer') throw unsupported('enum of other than integers', `an enum of ${base.class} values`)
  if (base.size !== size) throw cursor.fail(`an enum of ${size} bytes over integers of ${base.size}`)
  const names: string[] = []
  for (let i = 0; i < count; i++) names.push(memberName(cursor, version))
  return { class: 'enum', size, base, names, values: cursor.take(count * size) }
}

function vlenType(cursor: FileCursor, { bits, size, depth }: TypeHead): Datatype {
  const isString = (bits & 15) === 1
  const base = parseDatatype(cursor, depth + 1)
  if (!isString) return { class: 'vlen', size, base }
  return { class: 'vlen-string', size, padding: paddingOf((bits >> 4) & 15, cursor), charset: (bits >> 8) & 15 }
}

function arrayType(cursor: FileCursor, { version, size, depth }: TypeHead): Datatype {
  const rank = cursor.u8()
  if (rank === 0 || rank > 32) throw cursor.fail(`an array type of ${rank} dimensions, expected 1 to 32`)
  if (version < 3) cursor.skip(3)
  const shape = Array.from({ length: rank }, () => cursor.u32())
  if (version < 3) cursor.skip(4 * rank)
  const type = arrayOf(cursor, parseDatatype(cursor, depth + 1), shape)
  if (type.size !== size) throw cursor.fail(`an array type of ${size} bytes whose elements take ${type.size}`)
  return type
}

function complexType(cursor: FileCursor, { size, depth }: TypeHead): Datatype {
  const base = parseDatatype(cursor, depth + 1)
  if (base.size * 2 !== size) throw cursor.fail(`a complex number of ${size} bytes with parts of ${base.size}`)
  return { class: 'complex', size, base }
}
