import { malformed } from '../../errors.ts'
import { numberRange } from './number-range.ts'
import { combinations, type FieldValues, type SourceList } from './source-list.ts'

const BRACES = /\{([^{}]*)\}/g

/** Whether a URL, as it was given, names many files: `{a..b}`, `{a,b,c}` or `*`. Escaped braces are of a file's name. */
export function isPattern(url: string): boolean {
  const beforeQuery = url.split(/[?#]/, 1)[0] ?? ''
  return /^[a-z][a-z0-9+.-]*:/i.test(url) && /\{[^{}]*(?:\.\.|,)[^{}]*\}|\*/.test(beforeQuery)
}

/** The pattern that a text is, which may count from a folder; undefined where it is none. */
export function patternUrl(text: string, base: URL): string | undefined {
  if (isPattern(text)) return text
  const isRelative = !/^[a-z][a-z0-9+.-]*:|^\//i.test(text) && isPattern(`file:///${text}`)
  return isRelative ? new URL('.', base).href + text : undefined
}

/** The URLs of a pattern of braces, as a shell spells them out: the last braces run fastest. `*` is left as it is. */
export function bracedSources(pattern: string): SourceList {
  const texts: string[] = []
  const fields: FieldValues[] = []
  let end = 0
  for (const match of pattern.matchAll(BRACES)) {
    texts.push(pattern.slice(end, match.index))
    fields.push(valuesOf(match[1] ?? ''))
    end = match.index + match[0].length
  }
  texts.push(pattern.slice(end))
  if (texts.some((text) => /[{}]/.test(text))) {
    throw malformed(`braces in a URL can't be nested, and each must be closed: ${pattern.slice(0, 200)}`)
  }
  return combinations(fields, (positions) => {
    let url = texts[0] ?? ''
    for (const [place, field] of fields.entries()) {
      url += field.spelled(positions[place] ?? 0, undefined) + (texts[place + 1] ?? '')
    }
    return url
  })
}

function valuesOf(inner: string): FieldValues {
  const range = numberRange(inner)
  if (range !== undefined) return range
  const values = inner.split(',')
  if (values.length < 2)
    throw malformed(`{${inner.slice(0, 100)}} in a URL is neither a range such as {1..12} nor a list such as {a,b}`)
  return { length: values.length, spelled: (position) => values[position] ?? '' }
}
