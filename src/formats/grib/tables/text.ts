import { brotliDecompressSync } from 'node:zlib'

/** Most characters that a table of ours has. */
const MOST_BYTES = 4_194_304

/** The lines of a table that is packed. */
export function unpackedLines(packed: string): string[] {
  return brotliDecompressSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES })
    .toString('utf8')
    .split('\n')
}

/** The lines of a table that is not. */
export function plainLines(table: string): string[] {
  return table.split('\n').filter((line) => line !== '')
}

/** Keys and words after them: `code abbreviation title`. */
export interface CodeEntry {
  readonly abbreviation: string
  readonly title: string
}

/** A code table by code; the first entry of a code counts. */
export function codeTable(table: string): ReadonlyMap<number, CodeEntry> {
  const entries = new Map<number, CodeEntry>()
  for (const line of plainLines(table)) {
    const [code = '', abbreviation = '', ...words] = line.split(/\s+/)
    if (!entries.has(Number(code))) entries.set(Number(code), { abbreviation, title: words.join(' ') })
  }
  return entries
}
