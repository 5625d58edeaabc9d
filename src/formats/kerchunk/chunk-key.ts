const MOST_NUMBERS = 30
const DOT = 0x2e
const SLASH = 0x2f

/**
 * A key cut in two: what comes before its last run of numbers, and those numbers. Which of them are coordinates is only known
 * once the arrays are: `0/1.2` is a chunk of array `0` or of the root.
 */
export interface SplitKey {
  /** Length of what comes before the numbers, the separator included. */
  readonly prefixLength: number
  readonly numbers: readonly number[]
  /** Separators between the numbers, a bit each from the last one on: 1 for `/`. */
  readonly separators: number
}

/** Cuts the bytes of a key. Numbers are whole, spelled canonically and below 2^32; others belong to the prefix. */
export function splitKey(bytes: Uint8Array, start: number, end: number): SplitKey {
  const numbers: number[] = []
  let separators = 0
  let prefixEnd = end
  let mark: number | undefined
  for (let at = end; numbers.length < MOST_NUMBERS; at = prefixEnd - 1) {
    const first = firstDigit(bytes, start, at)
    const value = numberOf(bytes, first, at)
    const before = first === start ? undefined : bytes[first - 1]
    if (value === undefined || (before !== undefined && before !== SLASH && before !== DOT)) break
    if (mark === SLASH) separators |= 1 << (numbers.length - 1)
    numbers.push(value)
    prefixEnd = first
    mark = before
    if (before === undefined) break
  }
  return { prefixLength: prefixEnd - start, numbers: numbers.reverse(), separators }
}

function firstDigit(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && isDigit(bytes[at - 1])) at--
  return at
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function numberOf(bytes: Uint8Array, start: number, end: number): number | undefined {
  const length = end - start
  if (length < 1 || length > 10 || (length > 1 && bytes[start] === 0x30)) return undefined
  let value = 0
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30
  return value < 2 ** 32 ? value : undefined
}
