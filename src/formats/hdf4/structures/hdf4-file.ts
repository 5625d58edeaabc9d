import type { ByteRange } from '../../../bytes/byte-range.ts'
import { Cursor } from '../../../bytes/cursor.ts'
import { type ErrorContext, malformed } from '../../../errors.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'
import type { Descriptor, Directory } from './directory.ts'

/** A file of which it is known where each element lies. */
export interface Hdf4File {
  readonly source: Source
  readonly directory: Directory
}

/** Names an element as the specification does. */
export function elementName({ tag, ref }: { readonly tag: number; readonly ref: number }): string {
  return `element ${tag}/${ref}`
}

export function placeOf(file: Hdf4File, { offset }: { readonly offset: number }): ErrorContext {
  return { url: file.source.url, format: 'hdf4', offset }
}

/** A cursor over an element's bytes. */
export function cursorOf(file: Hdf4File, bytes: Uint8Array, { offset }: { readonly offset: number }): Cursor {
  return new Cursor(bytes, 'big', { url: file.source.url, format: 'hdf4', base: offset })
}

/** The bytes of an element as they lie in the file. */
export async function readPlain(file: Hdf4File, element: Descriptor, options: ReadOptions): Promise<Uint8Array> {
  checkInside(file, element, elementName(element))
  return await file.source.read({ offset: element.offset, length: element.length }, options)
}

/** What the file does not hold must not be read as anything else. */
export function checkInside(file: Hdf4File, range: ByteRange, what: string): void {
  const { size } = file.source
  if (range.offset + range.length <= size) return
  const message = `${what} ends at byte ${range.offset + range.length} of a file of ${size} bytes: the file is cut off`
  throw malformed(message, placeOf(file, range))
}
