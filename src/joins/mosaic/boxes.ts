import type { GridBox } from './grid.ts'

/** A box of the plane, and of the step before it where there is one. */
export interface Reach {
  readonly steps: readonly [from: number, to: number]
  readonly rows: readonly [from: number, to: number]
  readonly columns: readonly [from: number, to: number]
}

const FIELDS = 5

/** Where the rasters of a mosaic lie: some numbers each, of which all are looked at for a chunk. */
export class Boxes {
  readonly #numbers: Float64Array
  readonly count: number

  /** A raster of which there is none has no box; `steps` are places along an axis of their own. */
  constructor(boxes: readonly (GridBox | undefined)[], steps: readonly number[] | undefined) {
    this.count = boxes.length
    this.#numbers = new Float64Array(boxes.length * FIELDS)
    for (const [place, box] of boxes.entries()) {
      if (box === undefined) continue
      const { row, column, height, width } = box
      this.#numbers.set([row, row + height, column, column + width, steps?.[place] ?? 0], place * FIELDS)
    }
  }

  /** Those that reach into a box, in their order. */
  reaching({ steps, rows, columns }: Reach): number[] {
    const found: number[] = []
    const at = this.#numbers
    for (let place = 0, field = 0; place < this.count; place++, field += FIELDS) {
      const step = at[field + 4] ?? 0
      if (step < steps[0] || step >= steps[1]) continue
      if ((at[field] ?? 0) < rows[1] && (at[field + 1] ?? 0) > rows[0])
        if ((at[field + 2] ?? 0) < columns[1] && (at[field + 3] ?? 0) > columns[0]) found.push(place)
    }
    return found
  }

  sizeOf(place: number): { readonly height: number; readonly width: number } {
    const [top = 0, bottom = 0, left = 0, right = 0] = this.#numbers.subarray(place * FIELDS, place * FIELDS + 4)
    return { height: bottom - top, width: right - left }
  }

  cornerOf(place: number): { readonly step: number; readonly row: number; readonly column: number } {
    const [row = 0, , column = 0, , step = 0] = this.#numbers.subarray(place * FIELDS, (place + 1) * FIELDS)
    return { step, row, column }
  }
}
