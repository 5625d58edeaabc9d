import { isVirtualZarrError, malformed } from '../../../errors.ts'
import { type ChunkIndex, gridPosition } from '../../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../../model/chunk-ref.ts'
import { RecentParts } from '../../../model/recent-parts.ts'
import { recipe } from '../../../model/recipe.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { ReferenceTargets } from '../reference-targets.ts'
import { parseTemplates } from '../template/templates.ts'
import { type Footer, type RowGroup, readFooter } from './footer.ts'
import { type LoadedRows, readRows } from './record.ts'

/** Bytes of loaded rows that one array keeps. */
const MOST_BYTES = 16 * 2 ** 20

export interface ParquetIndexParts {
  readonly path: string
  readonly gridShape: readonly number[]
  readonly recordSize: number
  /** URL of the array's folder, with its final slash. */
  readonly folder: string
  readonly source: Source
  readonly context: ParseContext
}

/** One `refs.N.parq`, opened; undefined when there is none: nothing was written there. */
type OpenRecord = { readonly source: Source; readonly footer: Footer } | undefined

interface Rows {
  readonly loaded: LoadedRows
  readonly targets: ReferenceTargets
}

/** Chunks whose references are read row group by row group, when one of them is asked for. */
class ParquetIndex implements ChunkIndex {
  readonly gridShape: readonly number[]
  readonly #parts: ParquetIndexParts
  readonly #records = new Map<number, Promise<OpenRecord>>()
  /** By record and row group. */
  readonly #rows = new RecentParts<string, Rows>(MOST_BYTES, ({ loaded }) => loaded.weight)

  constructor(parts: ParquetIndexParts) {
    this.gridShape = parts.gridShape
    this.#parts = parts
  }

  at(coords: readonly number[]): ChunkRef | Promise<ChunkRef> {
    const position = gridPosition(coords, this.gridShape)
    const record = Math.floor(position / this.#parts.recordSize)
    return this.#find(record, position % this.#parts.recordSize)
  }

  weight(): number {
    return this.#rows.weight + this.#records.size * 1000
  }

  async #find(record: number, row: number): Promise<ChunkRef> {
    const opened = await this.#record(record)
    const index = opened?.footer.rowGroups.findIndex(({ firstRow, rows }) => row >= firstRow && row < firstRow + rows)
    const group = opened?.footer.rowGroups[index ?? -1]
    if (opened === undefined) return MISSING
    // Not "never written": fsspec writes a row for each chunk of the grid, and finds none here either.
    if (group === undefined) {
      const rows = opened.footer.rowGroups.reduce((sum, { rows: more }) => sum + more, 0)
      throw malformed(`a file of references ends after ${rows} rows, and row ${row} is that of a chunk`, {
        url: opened.source.url,
      })
    }
    const { loaded, targets } = await this.#rows.load(`${record}/${index}`, () =>
      this.#read(opened.source, opened.footer, group),
    )
    return targets.chunk(loaded.table, row - group.firstRow, this.#parts.path)
  }

  /** Concurrent readers wait for one opening; one that failed is tried again by the next reader. */
  #record(record: number): Promise<OpenRecord> {
    const known = this.#records.get(record)
    if (known !== undefined) return known
    const opening = openRecord(this.#parts, record)
    this.#records.set(record, opening)
    opening.catch(() => this.#records.delete(record))
    return opening
  }

  async #read(record: Source, footer: Footer, group: RowGroup): Promise<Rows> {
    const loaded = await readRows(record, footer, group, {})
    const { source, context } = this.#parts
    const { inline, urls } = loaded
    return { loaded, targets: new ReferenceTargets({ source, context, inline, urls, templates: NO_TEMPLATES }) }
  }
}

export const parquetIndex = recipe(
  'kerchunk.parquet',
  (parts: ParquetIndexParts): ChunkIndex => new ParquetIndex(parts),
)

const NO_TEMPLATES = parseTemplates(undefined, {})

async function openRecord({ folder, context }: ParquetIndexParts, record: number): Promise<OpenRecord> {
  try {
    const source = await context.open(`${folder}refs.${record}.parq`, { later: true })
    return { source, footer: await readFooter(source, {}) }
  } catch (error) {
    // Sets leave out the files that would say nothing.
    if (isVirtualZarrError(error, 'source-not-found')) return undefined
    throw error
  }
}
