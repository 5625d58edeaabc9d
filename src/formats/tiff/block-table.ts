import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { PagedTable } from '../../model/paged-table.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import type { Field } from './directories/ifd.ts'

type Numbers = Float64Array | Uint32Array

/** TileOffsets or TileByteCounts. */
export interface BlockTable {
  /** The numbers `first` to `first + count - 1`; no promise once their pages are loaded. */
  run(first: number, count: number, options: ReadOptions): Numbers | Promise<Numbers>
  /** Calls back with every entry. */
  each(visit: (numbers: Numbers) => void, options: ReadOptions): Promise<void>
  /** Bytes of memory held. */
  weight(): number
}

/** A table of which `length` entries are used: the file may claim more. */
export function blockTable(source: Source, field: Field, endian: Endian, length: number): BlockTable {
  const { position: offset, size: entryBytes, inline } = field
  const count = Math.min(field.count, length)
  const table = new PagedTable({
    offset,
    entryBytes,
    count,
    read: async (range, options) => inline?.subarray(0, range.length) ?? (await source.read(range, options)),
  })
  const numbers = (bytes: Uint8Array) => numbersOf(bytes, entryBytes, endian)
  return {
    run(first, some, options) {
      if (first + some > count) {
        throw malformed(`block ${first + some - 1} is not in its table of ${count} entries`, { offset })
      }
      const bytes = table.run(first, some, options)
      return bytes instanceof Promise ? bytes.then(numbers) : numbers(bytes)
    },
    each: (visit, options) => table.each((bytes) => visit(numbers(bytes)), options),
    weight: () => table.weight(),
  }
}

/** Unsigned numbers of 1, 2, 4 or 8 bytes; beyond 2^53 they only have to be beyond every file. */
function numbersOf(bytes: Uint8Array, size: number, endian: Endian): Numbers {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const little = endian === 'little'
  const count = bytes.length / size
  const numbers = size === 8 ? new Float64Array(count) : new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    if (size === 8) {
      numbers[i] =
        view.getUint32(i * 8 + (little ? 4 : 0), little) * 2 ** 32 + view.getUint32(i * 8 + (little ? 0 : 4), little)
    } else if (size === 4) numbers[i] = view.getUint32(i * 4, little)
    else numbers[i] = size === 2 ? view.getUint16(i * 2, little) : view.getUint8(i)
  }
  return numbers
}
