import { lookup3 } from '../../../codecs/kernels/lookup3.ts'
import { malformed, overBudget } from '../../../errors.ts'
import { recipe } from '../../../model/recipe.ts'
import type { Source } from '../../../source/source.ts'
import { FileCursor, type Widths } from './file-cursor.ts'

/**
 * What parsing one file may look at, in bytes of metadata. Structures of a sound file do not lie on each other, so that this is
 * more than any has; in a hostile one, few bytes may be named a million times, at no cost to the source's own budget.
 */
const MOST_BYTES = 134_217_728

/** Counts the bytes of metadata that have been looked at, each time they are. */
export class Budget {
  #left = MOST_BYTES

  /** What is read later, chunk by chunk, is not counted. */
  constructor() {
    newBudget.mark(this, undefined)
  }

  spend(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw overBudget(`the file's metadata takes more than ${MOST_BYTES} bytes`)
  }
}

export const newBudget = recipe('hdf5.budget', (_: undefined) => new Budget())

/** A file whose superblock has been read: addresses count from its base. */
export interface Hdf5File extends Widths {
  readonly source: Source
  /** Where address 0 is: behind the user block. */
  readonly base: number
  /** The first address behind the end that the superblock tells: what is behind it is not the file's. */
  readonly end: number
  /** Most links in one leaf of an old group, and most children of a node of its tree. */
  readonly groupLeafK: number
  readonly groupInternalK: number
  /** Half of the children of a node of a chunk index (B-tree version 1). */
  readonly chunkK: number
  readonly rootAddress: number
  readonly extensionAddress: number | undefined
  readonly budget: Budget
}

/** Bytes at an address; a structure that is not wholly inside the file is malformed. */
export async function readAt(
  file: Hdf5File,
  address: number,
  length: number,
  signal?: AbortSignal | undefined,
): Promise<Uint8Array> {
  checkInside(file, address, length)
  return await file.source.read({ offset: file.base + address, length }, { signal })
}

/** Throws where a structure reaches out of the file. */
export function checkInside(file: Hdf5File, address: number, length: number): void {
  if (address + length <= file.end) return
  throw malformed(`${length} bytes at address ${address} are outside of a file of ${file.end} bytes`, {
    offset: file.base + address,
  })
}

/** As many bytes as there are, at most `length`: for structures that say in their first bytes how long they are. */
export async function readUpTo(
  file: Hdf5File,
  address: number,
  length: number,
  signal?: AbortSignal | undefined,
): Promise<Uint8Array> {
  return await readAt(file, address, Math.max(Math.min(length, file.end - address), 1), signal)
}

/** A cursor over a structure that was read at an address. */
export function cursorAt(file: Widths & { readonly base: number }, bytes: Uint8Array, address: number): FileCursor {
  return cursorOver(file, { bytes, offset: file.base + address })
}

/** Bytes of a file, and where they were in it. */
export interface Placed {
  readonly bytes: Uint8Array
  readonly offset: number
}

/** A cursor over a part of a structure. */
export function cursorOver(widths: Widths, { bytes, offset }: Placed): FileCursor {
  return new FileCursor(bytes, widths, { base: offset })
}

/** The last four bytes of a structure are the checksum of all before them (Jenkins' lookup3). */
export function verifyChecksum(bytes: Uint8Array, what: string, offset: number): void {
  if (bytes.length < 4) throw malformed(`${what} of ${bytes.length} bytes has no room for its checksum`, { offset })
  const end = bytes.length - 4
  const stored = new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true)
  if (lookup3(bytes.subarray(0, end)) !== stored) throw malformed(`${what} does not match its checksum`, { offset })
}

/** The least number of bytes that hold every number up to `limit` (H5VM_limit_enc_size). */
export function bytesToHold(limit: number): number {
  return Math.floor(Math.log2(Math.max(limit, 1)) / 8) + 1
}

/** Nodes of a tree do not lie on each other: more than the file has room for are not a tree. */
export function checkNodeCount(file: Hdf5File, count: number, length: number): void {
  if ((count - 1) * length > file.end)
    throw malformed(`a tree of more than ${count - 1} nodes in a file of ${file.end} bytes`)
}
