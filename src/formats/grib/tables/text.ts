import { unpackedText } from '../../../bytes/packed-text.ts'
import { lazily } from '../../../lazily.ts'
import { CODES } from './codes.ts'

/** The lines of a table that is packed. */
export function unpackedLines(packed: string): string[] {
  return unpackedText(packed).split('\n')
}

const tables = lazily(() => {
  const byName = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of unpackedLines(CODES)) {
    if (line.startsWith('@')) {
      lines = []
      byName.set(line.slice(1), lines)
    } else lines.push(line)
  }
  return byName
})

/** The lines of a table of codes. */
export function codeLines(name: string): readonly string[] {
  return tables().get(name) ?? []
}

/** What a code table says of a code. */
export interface CodeEntry {
  readonly abbreviation: string
  readonly title: string
}

/** A code table by code; the first entry of a code counts. */
export function codeTable(name: string): ReadonlyMap<number, CodeEntry> {
  const entries = new Map<number, CodeEntry>()
  for (const line of codeLines(name)) {
    const [code = '', abbreviation = '', ...words] = line.split(/\s+/)
    if (!entries.has(Number(code))) entries.set(Number(code), { abbreviation, title: words.join(' ') })
  }
  return entries
}
