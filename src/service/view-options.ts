import { invalidRequest } from '../errors.ts'
import type { DimensionRange } from '../views/select.ts'

/** What a dimension may be called and be cut into: far more than any source has. */
const MOST_DIMENSIONS = 100
const MOST_NAME = 256

/** `dim:n,dim:n`: lengths of chunks by dimension. */
export function readChunks(text: string, name: string): ReadonlyMap<string, number> {
  const allowed = 'dim:n,dim:n with n of 1 or more'
  return byDimension(text, name, allowed, (value) => (/^[1-9][0-9]{0,14}$/.test(value) ? Number(value) : undefined))
}

/** `dim:a..b,dim:a..b`: ranges of indexes by dimension, ends excluded; either side may be left out. */
export function readSelect(text: string, name: string): ReadonlyMap<string, DimensionRange> {
  const allowed = 'dim:a..b,dim:a..b with 0 <= a < b, either side of which may be left out'
  return byDimension(text, name, allowed, (value) => {
    const match = /^(\d{0,15})\.\.(\d{0,15})$/.exec(value)
    if (match === null) return undefined
    const from = Number(match[1] ?? '')
    const to = match[2] === '' ? undefined : Number(match[2])
    return to !== undefined && to <= from ? undefined : { from, to }
  })
}

/** The same text for the same ranges. */
export function selectText(select: ReadonlyMap<string, DimensionRange> | undefined): string {
  const ranges = [...(select ?? [])].sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify(ranges.map(([name, { from, to }]) => [name, from, to ?? null]))
}

function byDimension<T>(
  text: string,
  name: string,
  allowed: string,
  read: (value: string) => T | undefined,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const item of text.split(',')) {
    const colon = item.lastIndexOf(':')
    const dimension = item.slice(0, Math.max(colon, 0)).trim()
    const value = colon === -1 ? undefined : read(item.slice(colon + 1).trim())
    const isBad = dimension === '' || dimension.length > MOST_NAME || found.has(dimension)
    if (isBad || value === undefined || found.size >= MOST_DIMENSIONS) {
      const given = JSON.stringify(text.slice(0, 100))
      throw invalidRequest(`option ${name} is ${given}, allowed: ${allowed}, each dimension once`, { option: name })
    }
    found.set(dimension, value)
  }
  return found
}
