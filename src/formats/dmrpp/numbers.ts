/** A count, position or length in decimal digits; undefined for anything else, and beyond 2^53. */
export function countFromText(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d{1,16}\s*$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

/** Counts with blanks between them; undefined when one of them is none. */
export function countsFromText(text: string): number[] | undefined {
  const words = wordsOf(text)
  const counts: number[] = []
  for (const word of words) {
    const count = countFromText(word)
    if (count === undefined) return undefined
    counts.push(count)
  }
  return counts
}

/** Words with blanks between them. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

const ZERO = 0x30
const COMMA = 0x2c
const BLANK = 0x20

/**
 * `chunkPositionInArray`, such as `[0,50]`, as the position of that chunk in C order over the grid; undefined when it is no
 * chunk of the grid. Read character by character: there may be a million of them.
 */
export function gridPositionFromText(
  text: string,
  shape: readonly number[],
  chunkShape: readonly number[],
): number | undefined {
  const isBracketed = text.startsWith('[') && text.endsWith(']')
  const end = isBracketed ? text.length - 1 : text.length
  let position = 0
  let axis = 0
  let value = -1
  for (let at = isBracketed ? 1 : 0; at <= end; at++) {
    const code = at === end ? COMMA : text.charCodeAt(at)
    if (code >= ZERO && code <= ZERO + 9) {
      value = (value === -1 ? 0 : value) * 10 + code - ZERO
    } else if (code === COMMA || (code === BLANK && value !== -1 && !isBracketed)) {
      if (value === -1 && axis === 0 && at === end && shape.length === 0) return 0
      const length = chunkShape[axis] ?? 1
      if (value === -1 || axis >= shape.length || value % length !== 0 || value >= (shape[axis] ?? 0)) return undefined
      position = position * Math.ceil((shape[axis] ?? 0) / length) + value / length
      axis++
      value = -1
    } else if (code !== BLANK) return undefined
  }
  return axis === shape.length && Number.isSafeInteger(position) ? position : undefined
}
