// HDF5 File Format Specification, section IV.A.2.l "The Data Storage - Filter Pipeline Message".
import { anyText } from '../../../bytes/text.ts'
import type { FileCursor } from '../structures/file-cursor.ts'

/** One filter, in the order in which it was applied when writing. */
export interface Filter {
  readonly id: number
  readonly name: string
  /** A chunk may have been written without it. */
  readonly isOptional: boolean
  readonly clientData: readonly number[]
}

/** H5Z_MAX_NFILTERS. */
const MOST_FILTERS = 32

export function parseFilterPipeline(cursor: FileCursor): readonly Filter[] {
  const version = cursor.oneOf('filter pipeline version', [1, 2])
  const count = cursor.u8()
  if (count > MOST_FILTERS) throw cursor.fail(`${count} filters, expected at most ${MOST_FILTERS}`)
  if (version === 1) cursor.skip(6)
  const filters: Filter[] = []
  for (let i = 0; i < count; i++) filters.push(parseFilter(cursor, version))
  return filters
}

function parseFilter(cursor: FileCursor, version: number): Filter {
  const id = cursor.u16()
  const nameBytes = version === 1 || id >= 256 ? cursor.u16() : 0
  const flags = cursor.u16()
  const count = cursor.u16()
  const padded = version === 1 ? Math.ceil(nameBytes / 8) * 8 : nameBytes
  const name = anyText(cursor.take(padded)).replace(/\0.*$/s, '')
  const clientData = Array.from({ length: count }, () => cursor.u32())
  if (version === 1 && count % 2 === 1 && cursor.remaining >= 4) cursor.skip(4)
  return { id, name, isOptional: (flags & 1) !== 0, clientData }
}
