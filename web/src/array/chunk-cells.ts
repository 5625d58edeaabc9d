import { bytesText } from '../parts/bytes-text.ts'
import type { ArrayInfo, ChunkSurvey } from '../service/types.ts'

/** One chunk of the map. */
export interface ChunkCell {
  readonly kind: 'stored' | 'absent' | 'odd' | 'made' | 'unknown'
  readonly words: string
  readonly bytes: number | null
  /** Its size beside the largest, from 0 to 1. */
  readonly weight: number
}

/** How many cells a row has, and their side in pixels. */
export interface GridOfCells {
  readonly columns: number
  readonly rows: number
  readonly size: number
}

const WORDS: Readonly<Record<string, string>> = {
  s: 'stored',
  o: 'an object of its own, of which its host knows more',
  i: 'stored in the index itself',
  p: 'a chunk of another source',
  a: 'put together from several',
  '-': 'never written',
}

/** What hosts said of objects, by position: their bytes, or that they are not there. */
export type Asked = ReadonlyMap<number, number | null>

const KINDS: Readonly<Record<string, ChunkCell['kind']>> = { s: 'stored', i: 'stored', o: 'unknown', '-': 'absent' }

export function cellsOf({ kinds, bytes: indexed, encodings, first }: ChunkSurvey, asked: Asked): readonly ChunkCell[] {
  const bytes = indexed.map((length, at) => length ?? asked.get(first + at) ?? null)
  const largest = bytes.reduce<number>((most, length) => Math.max(most, length ?? 0), 1)
  return Array.from(kinds, (found, index) => {
    const letter = found === 'o' && asked.has(first + index) ? (asked.get(first + index) === null ? '-' : 's') : found
    const length = bytes[index] ?? null
    const encoding = encodings[String(first + index)]
    const words = WORDS[letter] ?? letter
    return {
      kind: encoding === undefined ? (KINDS[letter] ?? 'made') : 'odd',
      words: encoding === undefined ? words : `${words}, in encoding ${encoding + 1}`,
      bytes: letter === '-' ? null : length,
      weight: length === null ? 0.6 : length / largest,
    }
  })
}

const WIDTH = 640
const LARGEST = 24
const SMALLEST = 3

/** Rows as long as the grid's last dimension, where that fits; else as many as fit. */
export function gridOfCells({ grid, kinds }: Pick<ChunkSurvey, 'grid' | 'kinds'>): GridOfCells {
  const last = grid.at(-1) ?? 1
  const most = Math.floor(WIDTH / SMALLEST)
  // A grid of one column is laid in rows, like a text.
  const columns = last > 1 && last <= most ? last : Math.min(kinds.length, last > most ? most : 32)
  const across = Math.max(1, columns)
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(WIDTH / across)))
  return { columns: across, rows: Math.ceil(kinds.length / across), size }
}

/** Which way the grid runs. */
export function layoutText({ grid, kinds }: ChunkSurvey, { dimension_names: names }: ArrayInfo): string {
  const cut = grid.findLastIndex((length) => length > 1)
  if (cut < 0) return ''
  const { columns } = gridOfCells({ grid, kinds })
  const down = names.filter((_, axis) => axis < grid.length - 1 && (grid[axis] ?? 1) > 1)
  if (columns !== grid.at(-1) || columns === 1) return `Row after row, as in a text: ${names[cut]} counts first.`
  return `Across: ${names.at(-1)}.${down.length === 0 ? '' : ` Down: ${down.join(', within each ')}.`}`
}

/** How many there are of each kind, and what they take. */
export function countText(cells: readonly ChunkCell[]): string {
  const count = (kind: ChunkCell['kind']) => cells.filter((cell) => cell.kind === kind).length
  const known = cells.flatMap(({ bytes }) => (bytes === null ? [] : [bytes]))
  const sum = known.reduce((all, length) => all + length, 0)
  const sizes =
    known.length === 0
      ? ''
      : ` of ${bytesText(Math.min(...known))} to ${bytesText(Math.max(...known))}, ${bytesText(sum)} together`
  const parts = [
    `${(count('stored') + count('odd')).toLocaleString()} stored${sizes}`,
    ...(count('odd') > 0 ? [`${count('odd').toLocaleString()} of them in another encoding`] : []),
    ...(count('unknown') > 0 ? [`${count('unknown').toLocaleString()} objects that may not be there`] : []),
    ...(count('made') > 0 ? [`${count('made').toLocaleString()} made of other sources`] : []),
    `${count('absent').toLocaleString()} never written`,
  ]
  return `${parts.join('; ')}.`
}

/** The coordinates of a position in C order. */
export function chunkCoordinates(grid: readonly number[], position: number): readonly number[] {
  let rest = position
  const coords = grid.map(() => 0)
  for (let axis = grid.length - 1; axis >= 0; axis--) {
    coords[axis] = rest % (grid[axis] ?? 1)
    rest = Math.floor(rest / (grid[axis] ?? 1))
  }
  return coords
}

/** The chunk's coordinates, by dimension. */
export function coordinatesText(
  { grid, first }: ChunkSurvey,
  { dimension_names: names }: ArrayInfo,
  index: number,
): string {
  const coords = chunkCoordinates(grid, first + index)
  return coords.length === 0 ? 'The only chunk' : coords.map((at, axis) => `${names[axis]} ${at}`).join(', ')
}
