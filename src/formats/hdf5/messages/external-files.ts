// HDF5 File Format Specification, section IV.A.2.h "The Data Storage - External Data Files Message".
import { anyText } from '../../../bytes/text.ts'
import type { FileCursor } from '../structures/file-cursor.ts'
import { cursorAt, type Hdf5File, readAt } from '../structures/hdf5-file.ts'

/** Pieces of a contiguous dataset in other files, one after the other. */
export type ExternalFiles = readonly ExternalPiece[]

interface ExternalPiece {
  readonly file: string
  readonly offset: number
  /** Undefined for the last piece, where it may be as long as it likes. */
  readonly size: number | undefined
}

const MOST_HEAP_BYTES = 1_048_576

export async function readExternalFiles(
  file: Hdf5File,
  cursor: FileCursor,
  signal?: AbortSignal | undefined,
): Promise<ExternalFiles> {
  cursor.oneOf('external files version', [1])
  cursor.skip(3)
  cursor.skip(2)
  const count = cursor.u16()
  const heap = cursor.definedAddress('the names of external files')
  const names = await readNames(file, heap, signal)
  const pieces: ExternalPiece[] = []
  for (let i = 0; i < count; i++) {
    const start = cursor.length()
    const offset = cursor.length()
    const size = cursor.unlimitedLength()
    const end = names.indexOf(0, start)
    if (end < 0) throw cursor.fail('a name without its final NUL')
    pieces.push({ file: anyText(names.subarray(start, end)), offset, size })
  }
  return pieces
}

async function readNames(file: Hdf5File, address: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const header = await readAt(file, address, 8 + 2 * file.lengthSize + file.offsetSize, signal)
  const cursor = cursorAt(file, header, address)
  cursor.signature('HEAP')
  cursor.skip(4)
  const size = cursor.length()
  cursor.skip(file.lengthSize)
  if (size > MOST_HEAP_BYTES) throw cursor.fail(`names of external files take ${size} bytes`)
  return await readAt(file, cursor.definedAddress('the data of a local heap'), size, signal)
}
