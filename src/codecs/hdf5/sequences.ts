import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import { internalSerial } from '../internal.ts'
import { plainElements } from '../zarr/bytes.ts'
import { type HeapFormat, type HeapPiece, readPieces } from './heap.ts'

/** A part of a sequence: a part of an object in a global heap. */
export interface SequencePart {
  readonly address: number
  readonly object: number
  /** Elements of the whole sequence, and which of them. */
  readonly length: number
  readonly from: number
  readonly count: number
}

const PART_BYTES = 24

/**
 * HDF5's sequences of varying length, one after the other: a chunk is a list of parts of them (`sequenceParts`), whose elements are
 * read again from the source's heaps.
 */
export const hdf5Sequences = internalSerial<SequenceParameters>({
  name: 'vz.hdf5-sequences',
  readsSource: true,
  prepare: ({ endian, ...format }, layout) => {
    const size = itemSize(layout.dataType) ?? 1
    const length = elementCount(layout.shape) * size
    const inLittle = plainElements(endian, layout)
    return {
      decode: async (bytes, { read, limit }) => {
        if (read === undefined) throw new TypeError('vz.hdf5-sequences is decoded without a reader of its source')
        const joined = new Uint8Array(length)
        let at = 0
        for (const piece of await readPieces(piecesOf(parseParts(bytes), length, size), format, { read, limit })) {
          joined.set(piece, at)
          at += piece.length
        }
        return { kind: 'fixed', bytes: inLittle(joined) }
      },
    }
  },
})

interface SequenceParameters extends HeapFormat {
  readonly endian: Endian
}

/** Where so many bytes of elements lie in the heaps. */
function piecesOf(parts: readonly SequencePart[], length: number, size: number): HeapPiece[] {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  // Elements that are arrays themselves are several of the layout.
  const unit = length / count
  if (!Number.isInteger(unit) || unit % size !== 0) throw malformed(`${length} bytes are no ${count} elements`)
  return parts.map(({ address, object, ...part }) => {
    return { address, object, size: part.length * unit, from: part.from * unit, length: part.count * unit }
  })
}

/** The bytes of a chunk of sequences. */
export function sequenceParts(parts: readonly SequencePart[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(parts.length * PART_BYTES))
  parts.forEach(({ address, object, length, from, count }, i) => {
    view.setFloat64(i * PART_BYTES, address, true)
    for (const [field, value] of [object, length, from, count].entries())
      view.setUint32(i * PART_BYTES + 8 + 4 * field, value, true)
  })
  return new Uint8Array(view.buffer)
}

function parseParts(bytes: Uint8Array): SequencePart[] {
  if (bytes.length % PART_BYTES !== 0) throw malformed(`a chunk of ${bytes.length} bytes is no list of sequences`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / PART_BYTES }, (_, i) => {
    const field = (place: number) => view.getUint32(i * PART_BYTES + 8 + 4 * place, true)
    const address = view.getFloat64(i * PART_BYTES, true)
    return { address, object: field(0), length: field(1), from: field(2), count: field(3) }
  })
}
