import type { DataType, Scalar } from '../../model/data-type.ts'

/** A type of the classic format (`nc_type`): its size in the file, and what it is to us. */
export interface ExternalType {
  readonly name: string
  readonly size: number
  readonly dataType: DataType
  /** What the library writes where nobody wrote (FV-NC3-2); whether it did is not recorded in the file. */
  readonly defaultFill: Scalar
}

/** The default fill of float and double alike: 15 * 2^119, which both hold exactly. */
const FLOATING_FILL = 9.969209968386869e36

function numeric(name: string, size: number, dataType: DataType, fill: number | bigint): ExternalType {
  const defaultFill: Scalar =
    typeof fill === 'bigint' ? { kind: 'bigint', value: fill } : { kind: 'number', value: fill }
  return { name, size, dataType, defaultFill }
}

const CHAR: ExternalType = {
  name: 'char',
  size: 1,
  dataType: { kind: 'fixed-text', encoding: 'bytes', length: 1 },
  // NUL, of which fixed text keeps none.
  defaultFill: { kind: 'bytes', value: new Uint8Array(0) },
}

/** By the number that stands for the type in a header. */
const BY_CODE: ReadonlyMap<number, ExternalType> = new Map([
  [1, numeric('byte', 1, { kind: 'int', bits: 8 }, -127)],
  [2, CHAR],
  [3, numeric('short', 2, { kind: 'int', bits: 16 }, -32767)],
  [4, numeric('int', 4, { kind: 'int', bits: 32 }, -2147483647)],
  [5, numeric('float', 4, { kind: 'float', bits: 32 }, FLOATING_FILL)],
  [6, numeric('double', 8, { kind: 'float', bits: 64 }, FLOATING_FILL)],
  [7, numeric('ubyte', 1, { kind: 'uint', bits: 8 }, 255)],
  [8, numeric('ushort', 2, { kind: 'uint', bits: 16 }, 65535)],
  [9, numeric('uint', 4, { kind: 'uint', bits: 32 }, 4294967295)],
  [10, numeric('int64', 8, { kind: 'int', bits: 64 }, -9223372036854775806n)],
  [11, numeric('uint64', 8, { kind: 'uint', bits: 64 }, 18446744073709551614n)],
])

/** The type a header's code stands for; undefined when this version has no such type: CDF-5 added those from 7 on. */
export function externalType(code: number, version: number): ExternalType | undefined {
  return code > 6 && version !== 5 ? undefined : BY_CODE.get(code)
}
