import { GrowingNumbers } from '../../bytes/growing.ts'
import { type ChunkIndex, gridPosition } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import { recipe } from '../../model/recipe.ts'
import { elementCount } from '../../model/shape.ts'
import type { Diagnostic, SkippedArray } from '../../model/virtual-store.ts'
import type { PlaceArrays } from '../zarr-documents/to-tree.ts'
import { draftEncoding } from '../zarr-documents/v3-codecs.ts'
import { chunkKey, gridOf, type ZarrArray } from '../zarr-documents/zarr-array.ts'
import { splitKey } from './chunk-key.ts'
import { type ReferenceClass, type ReferenceClasses, type ReferenceTable, referenceRows } from './reference-classes.ts'
import type { ReferenceTargets } from './reference-targets.ts'

/** An array that waits for its chunks: its references are those of a class whose first numbers are these. */
interface Claim {
  readonly path: string
  readonly gridShape: readonly number[]
  /** Numbers that belong to the array's path, as in `0/1.2`. */
  readonly leading: readonly number[]
}

/** Gives every reference to its array; what belongs to none is told. */
export function placeReferences(
  classes: ReferenceClasses,
  targets: ReferenceTargets,
  warn: (diagnostic: Diagnostic) => void,
): PlaceArrays {
  return async (arrays) => {
    const tables = new Map<string, ReferenceTable>()
    let outside = 0
    for (const [found, claims] of claimsOf(arrays, classes)) {
      const placed = placeClass(found, claims)
      for (const [path, table] of placed.tables) tables.set(path, table)
      outside += placed.outside
      classes.release(found)
    }
    warnLeft(classes, outside, warn)
    let isFirst = true
    return (path, array) => {
      const gridShape = gridOf(array)
      const skipped = tooLarge(gridShape)
      if (skipped !== undefined) return skipped
      const table = tables.get(path) ?? EMPTY
      const chunks = referenceIndex({ path, gridShape, table, targets, weighsTargets: isFirst })
      isFirst = false
      // Where nothing is stored there is nothing to decode: a codec that nobody knows costs nothing.
      const encoding = table.count === 0 ? draftEncoding(array.dataType) : array.encoding
      return { encodings: [encoding], chunks }
    }
  }
}

const EMPTY: ReferenceTable = referenceRows().table(1)

function tooLarge(gridShape: readonly number[]): SkippedArray | undefined {
  const count = elementCount(gridShape)
  if (Number.isSafeInteger(count)) return undefined
  return { kind: 'skipped', code: 'limit-exceeded', reason: `a grid of ${count} chunks, at most 2^53 are served` }
}

function claimsOf(arrays: ReadonlyMap<string, ZarrArray>, classes: ReferenceClasses): Map<ReferenceClass, Claim[]> {
  const claims = new Map<ReferenceClass, Claim[]>()
  for (const [path, array] of arrays) {
    const gridShape = gridOf(array)
    if (tooLarge(gridShape) !== undefined) continue
    const first = chunkKey(
      array.keys,
      gridShape.map(() => 0),
    )
    const sample = path === '' ? first : `${path}/${first}`
    const found = classes.get(sample)
    if (found === undefined) continue
    const bytes = Buffer.from(sample)
    const { numbers } = splitKey(bytes, 0, bytes.length)
    const own = gridShape.length === 0 && array.keys.scalar === '0' ? 1 : gridShape.length
    const claim = { path, gridShape, leading: numbers.slice(0, numbers.length - own) }
    claims.set(found, [...(claims.get(found) ?? []), claim])
  }
  return claims
}

interface PlacedClass {
  readonly tables: ReadonlyMap<string, ReferenceTable>
  /** References whose coordinates no array of the class has. */
  readonly outside: number
}

function placeClass(found: ReferenceClass, claims: readonly Claim[]): PlacedClass {
  const tables = new Map<string, ReferenceTable>()
  let placed = 0
  for (const [claim, rows] of rowsOf(found, claims)) {
    const chunks = chunksOf(found, claim, rows)
    placed += chunks.count
    tables.set(claim.path, chunks.table(elementCount(claim.gridShape)))
  }
  return { tables, outside: found.count - placed }
}

/** The rows of each claim; undefined stands for all of them. */
function rowsOf(found: ReferenceClass, claims: readonly Claim[]): Map<Claim, GrowingNumbers | undefined> {
  const [only] = claims
  if (only !== undefined && only.leading.length === 0) return new Map([[only, undefined]])
  const count = only?.leading.length ?? 0
  const byLeading = new Map(claims.map((claim) => [claim.leading.join('/'), new GrowingNumbers()]))
  for (let row = 0; row < found.count; row++) {
    const leading = Array.from({ length: count }, (_, at) => found.numbers.at(row * found.rank + at))
    byLeading.get(leading.join('/'))?.push(row)
  }
  return new Map(claims.map((claim) => [claim, byLeading.get(claim.leading.join('/'))]))
}

function chunksOf(found: ReferenceClass, { gridShape, leading }: Claim, rows: GrowingNumbers | undefined) {
  const chunks = referenceRows()
  const { positions, columns } = chunks
  for (let index = 0; index < (rows?.length ?? found.count); index++) {
    const row = rows?.at(index) ?? index
    const position = positionOf(found, row, leading.length, gridShape)
    if (position === undefined) continue
    positions.push(position)
    columns.target.push(found.targets.at(row))
    columns.offset.push(found.offsets.at(row))
    columns.length.push(found.lengths.at(row))
  }
  return chunks
}

function positionOf(
  found: ReferenceClass,
  row: number,
  skip: number,
  gridShape: readonly number[],
): number | undefined {
  const start = row * found.rank + skip
  // The key of a scalar is `0`, and no other number.
  if (gridShape.length === 0) return found.rank === skip || found.numbers.at(start) === 0 ? 0 : undefined
  let position = 0
  for (let axis = 0; axis < gridShape.length; axis++) {
    const length = gridShape[axis] ?? 0
    const coordinate = found.numbers.at(start + axis)
    if (coordinate >= length) return undefined
    position = position * length + coordinate
  }
  return position
}

function warnLeft(classes: ReferenceClasses, outside: number, warn: (diagnostic: Diagnostic) => void): void {
  if (outside > 0) {
    const message = `${outside} references lie outside of the grid of their array, and are passed over`
    warn({ code: 'references-outside-grid', message })
  }
  const left = [...classes.values()].reduce((count, found) => count + found.count, 0)
  if (left > 0) warn({ code: 'references-without-array', message: `${left} references belong to no array` })
}

interface IndexParts {
  readonly path: string
  readonly gridShape: readonly number[]
  readonly table: ReferenceTable
  readonly targets: ReferenceTargets
  /** What the arrays share is weighed with one of them. */
  readonly weighsTargets: boolean
}

/** The chunks of one array, as its references say. */
class ReferenceIndex implements ChunkIndex {
  readonly gridShape: readonly number[]
  readonly #parts: IndexParts

  constructor(parts: IndexParts) {
    this.gridShape = parts.gridShape
    this.#parts = parts
  }

  at(coords: readonly number[]): ChunkRef | Promise<ChunkRef> {
    const { table, targets, path } = this.#parts
    return targets.chunk(table, gridPosition(coords, this.gridShape), path)
  }

  isComplete(): boolean {
    return this.#parts.table.isComplete
  }

  weight(): number {
    const { table, targets, weighsTargets } = this.#parts
    return table.weight + (weighsTargets ? targets.weight() : 0)
  }
}

export const referenceIndex = recipe(
  'kerchunk.references',
  (parts: IndexParts): ChunkIndex => new ReferenceIndex(parts),
)
