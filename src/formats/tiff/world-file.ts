// World files: six lines that place the middles of pixels; ESRI's, as GDAL reads them.
import type { Affine } from '../georeference/conventions.ts'

/** Whether a document begins like a world file: with a number on a line of its own. */
export function isWorldFile(head: Uint8Array): boolean {
  return (
    numbersOf(
      Buffer.from(head)
        .toString('latin1')
        .replace(/^\uFEFF|^ï»¿/, ''),
      1,
    ).length === 1
  )
}

/** The transformation of a world file, from the corner of the first pixel; throws for what is none. */
export function parseWorldFile(text: string): Affine {
  const [a, d, b, e, c, f] = numbersOf(text.replace(/^\uFEFF/, ''), 6)
  if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined) {
    throw new Error('expected six lines of one number each')
  }
  if ((a === 0 && b === 0) || (d === 0 && e === 0)) throw new Error('its pixels have no size')
  return [a, b, c - (a + b) / 2, d, e, f - (d + e) / 2]
}

/** The numbers of the first lines that are not blank, up to a line that is no number. */
function numbersOf(text: string, count: number): number[] {
  const numbers: number[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    // Some writers follow the locale of their system.
    const spelled = line.trim().replace(',', '.')
    if (spelled === '') continue
    const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(spelled) ? Number(spelled) : Number.NaN
    if (!Number.isFinite(number)) break
    if (numbers.push(number) === count) break
  }
  return numbers
}
