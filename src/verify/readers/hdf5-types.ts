import type { Metadata } from 'h5wasm/node'

/** H5T_class_t. */
export const INTEGER = 0
export const FLOAT = 1
export const TEXT = 3
export const ENUM = 8

/** As Zarr names it; undefined where the reader does not tell. */
export function typeOf({ type, size, signed, enum_type }: Metadata): string | undefined {
  if (type === INTEGER) return `${signed ? 'int' : 'uint'}${size * 8}`
  if (type === FLOAT && [2, 4, 8].includes(size)) return `float${size * 8}`
  if (type === TEXT) return 'text'
  if (type !== ENUM) return undefined
  const names = Object.keys(enum_type?.members ?? {})
  if (size === 1 && names.length === 2 && names.includes('FALSE') && names.includes('TRUE')) return 'bool'
  return enum_type?.type === INTEGER ? `${signed ? 'int' : 'uint'}${size * 8}` : undefined
}

/** Whether the reader gives values of such a type as numbers or texts. */
export function isKnown({ type, size }: Metadata): boolean {
  return type === INTEGER ? [1, 2, 4, 8].includes(size) : [FLOAT, TEXT, ENUM].includes(type)
}
