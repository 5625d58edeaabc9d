/** What a value is; from `SMALL` on a whole number below 128. */
export const TAG = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  whole: 4,
  negative: 5,
  double: 6,
  bigint: 7,
  latin1: 8,
  utf16: 9,
  text: 10,
  array: 11,
  object: 12,
  map: 13,
  set: 14,
  numbers: 15,
  float: 16,
  recipe: 17,
  anchor: 18,
  again: 19,
  small: 0x80,
} as const

/** Typed arrays, by their number in an entry; in the byte order of the machine, which is little-endian everywhere. */
export const NUMBER_ARRAYS = [
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const

/** Values within each other; beyond it an entry is damaged, or its source too strange to be kept. */
export const MOST_DEPTH = 500
