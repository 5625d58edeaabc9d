import type { ArrayInfo } from '../service/types.ts'

/** Dimensions with their lengths: `time 12 × lat 36`. */
export function shapeText({ shape, dimension_names: names }: ArrayInfo): string {
  if (shape.length === 0) return 'scalar'
  return shape.map((length, axis) => `${names[axis] ?? '?'} ${length.toLocaleString()}`).join(' × ')
}

export function typeText({ data_type: type }: ArrayInfo): string {
  if (typeof type === 'string') return type
  return typeof type === 'object' && type !== null && 'name' in type ? String(type['name']) : 'unknown'
}

/** What it is, in the words of the file, with its unit. */
export function aboutText({ attributes }: ArrayInfo): string {
  const name = ['long_name', 'standard_name', 'title']
    .map((key) => attributes[key])
    .find((text) => typeof text === 'string')
  const units = attributes['units']
  return [name, typeof units === 'string' && units !== '1' ? units : undefined].filter(Boolean).join(', ')
}
