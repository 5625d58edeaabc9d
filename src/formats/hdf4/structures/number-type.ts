// HDF Specification and Developer's Guide, section 9.3: DFTAG_NT, and the numbers of hntdefs.h.
import { unsupported } from '../../../errors.ts'
import type { DataType } from '../../../model/data-type.ts'

/** A number type as data and tables name it. */
export interface NumberType {
  readonly dataType: DataType
  readonly size: number
  readonly endian: 'little' | 'big'
  /** Single bytes of text. */
  readonly isText: boolean
  /** The number without what says of byte order. */
  readonly code: number
}

const NATIVE = 0x1000
const CUSTOM = 0x2000
const LITTLE_ENDIAN = 0x4000
const TYPE = 0x0fff

const CHARACTERS = 4
const TYPES: ReadonlyMap<number, DataType> = new Map<number, DataType>([
  [3, { kind: 'uint', bits: 8 }],
  [CHARACTERS, { kind: 'fixed-text', encoding: 'bytes', length: 1 }],
  [5, { kind: 'float', bits: 32 }],
  [6, { kind: 'float', bits: 64 }],
  [20, { kind: 'int', bits: 8 }],
  [21, { kind: 'uint', bits: 8 }],
  [22, { kind: 'int', bits: 16 }],
  [23, { kind: 'uint', bits: 16 }],
  [24, { kind: 'int', bits: 32 }],
  [25, { kind: 'uint', bits: 32 }],
  [26, { kind: 'int', bits: 64 }],
  [27, { kind: 'uint', bits: 64 }],
])

/** The type of a number with its flags. Native is the order of whoever reads: of the machines that are left, little-endian. */
export function numberTypeOf(number: number): NumberType {
  const code = number & TYPE
  const dataType = TYPES.get(code)
  if (dataType === undefined || (number & CUSTOM) !== 0) {
    throw unsupported('HDF4 number type', `number type ${number} is not served`)
  }
  const isLittle = (number & (LITTLE_ENDIAN | NATIVE)) !== 0
  const size = 'bits' in dataType ? dataType.bits / 8 : 1
  return { dataType, size, endian: isLittle ? 'little' : 'big', isText: code === CHARACTERS, code }
}

const VERSION = 1
/** Machines that store as HDF does, and those that store the other way round. */
const STANDARD = [0, 1]
const PC = 4

/** The four bytes of a number type element. */
export function parseNumberType(bytes: Uint8Array): NumberType {
  const [version, code = 0, , machine = 0] = bytes
  if (machine === PC) return numberTypeOf(code | LITTLE_ENDIAN)
  if (version !== VERSION || !STANDARD.includes(machine)) {
    throw unsupported('HDF4 number format', `numbers in the native format ${machine} of another machine are not served`)
  }
  return numberTypeOf(code)
}
