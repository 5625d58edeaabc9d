/** A number at the beginning of a text, as C's `strtod` and `atoi` read it. */
export interface LeadingNumber {
  /** 0 where the text begins with none. */
  readonly value: number
  /** Whether the text is that number and nothing else. */
  readonly isWhole: boolean
}

const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i
const NAMED = /^\s*([+-]?)(nan|inf(?:inity)?|1\.#(?:inf|qnan|snan|ind)\d*)/i
const INTEGER = /^\s*[+-]?\d+/

/** GDAL reads numbers of a VRT so, whatever follows them. */
export function leadingNumber(text: string): LeadingNumber {
  const named = NAMED.exec(text)
  if (named !== null) {
    const [all, sign, name = ''] = named
    const isInfinite = /inf/i.test(name)
    const value = isInfinite ? (sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY) : Number.NaN
    return { value, isWhole: text.slice(all.length).trim() === '' }
  }
  return matched(DECIMAL, text)
}

export function leadingInteger(text: string): LeadingNumber {
  return matched(INTEGER, text)
}

function matched(pattern: RegExp, text: string): LeadingNumber {
  const [found] = pattern.exec(text) ?? []
  if (found === undefined) return { value: 0, isWhole: false }
  return { value: Number(found), isWhole: text.slice(found.length).trim() === '' }
}
