// HDF5 File Format Specification, section II.A "Format Signature and Superblock".
import { malformed, unsupported } from '../../errors.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import { Budget } from './budget.ts'
import { FileCursor } from './file-cursor.ts'
import { cursorAt, type Hdf5File, verifyChecksum } from './hdf5-file.ts'
import { withExtension } from './superblock-extension.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a)
/** Longest superblock: version 1 with the widest addresses that are served. */
const SUPERBLOCK_BYTES = 120
const SERVED_WIDTHS = [2, 4, 8]
const DEFAULT_CHUNK_K = 32

/** Whether the signature is at one of the places that a head of a file has. */
export function hasSignature(head: Uint8Array): boolean {
  return signatureIn(head) !== undefined
}

function signatureIn(head: Uint8Array): number | undefined {
  for (let at = 0; at + SIGNATURE.length <= head.length; at = at === 0 ? 512 : at * 2) {
    if (SIGNATURE.every((byte, i) => head[at + i] === byte)) return at
  }
  return undefined
}

/** Finds and reads the superblock: at 0, 512, 1024, ... (what is before it is the user block). */
export async function readSuperblock(source: Source, options: ReadOptions): Promise<Hdf5File> {
  for (let at = 0; at + SIGNATURE.length <= source.size; at = at === 0 ? 512 : at * 2) {
    const bytes = await source.read({ offset: at, length: Math.min(SUPERBLOCK_BYTES, source.size - at) }, options)
    if (signatureIn(bytes.subarray(0, SIGNATURE.length)) === undefined) continue
    const file = parseSuperblock(bytes, source, at)
    return await withExtension(file, options)
  }
  throw malformed('no HDF5 signature at byte 0, 512, 1024, ...', { offset: 0 })
}

function parseSuperblock(bytes: Uint8Array, source: Source, base: number): Hdf5File {
  const version = bytes[8]
  if (version === 0 || version === 1) return parseOld(bytes, source, base)
  if (version === 2 || version === 3) return parseNew(bytes, source, base)
  throw malformed(`superblock version ${version}, expected 0 to 3`, { offset: base + 8 })
}

function parseOld(bytes: Uint8Array, source: Source, base: number): Hdf5File {
  const head = new FileCursor(bytes, { offsetSize: 8, lengthSize: 8 }, { base })
  head.skip(SIGNATURE.length)
  const version = head.u8()
  head.skip(4)
  const widths = {
    offsetSize: head.oneOf('address size', SERVED_WIDTHS),
    lengthSize: head.oneOf('length size', SERVED_WIDTHS),
  }
  head.skip(1)
  const groupLeafK = head.u16()
  const groupInternalK = head.u16()
  head.skip(4)
  const chunkK = version === 1 ? head.u16() : DEFAULT_CHUNK_K
  if (version === 1) head.skip(2)
  const cursor = cursorAt({ ...widths, base }, bytes, 0)
  cursor.seek(head.position)
  cursor.address()
  cursor.address()
  const end = cursor.definedAddress('the end of the file')
  const driver = cursor.address()
  if (driver !== undefined)
    throw unsupported('HDF5 file driver', 'the file is one of several: its driver is not the simple one')
  cursor.address()
  const rootAddress = cursor.definedAddress('the root group')
  checkComplete(source, end)
  const extensionAddress = undefined
  return {
    ...widths,
    source,
    base,
    end: end - base,
    groupLeafK,
    groupInternalK,
    chunkK,
    rootAddress,
    extensionAddress,
    budget: new Budget(),
  }
}

function parseNew(bytes: Uint8Array, source: Source, base: number): Hdf5File {
  const head = new FileCursor(bytes, { offsetSize: 8, lengthSize: 8 }, { base })
  head.skip(SIGNATURE.length + 1)
  const widths = {
    offsetSize: head.oneOf('address size', SERVED_WIDTHS),
    lengthSize: head.oneOf('length size', SERVED_WIDTHS),
  }
  head.skip(1)
  const cursor = cursorAt({ ...widths, base }, bytes, 0)
  cursor.seek(head.position)
  cursor.address()
  const extensionAddress = cursor.address()
  const end = cursor.definedAddress('the end of the file')
  const rootAddress = cursor.definedAddress('the root group')
  cursor.skip(4)
  verifyChecksum(bytes.subarray(0, cursor.position), 'the superblock', base)
  checkComplete(source, end)
  const old = { groupLeafK: 4, groupInternalK: 16, chunkK: DEFAULT_CHUNK_K }
  return { ...widths, source, base, end: end - base, ...old, rootAddress, extensionAddress, budget: new Budget() }
}

/** The end is told from the beginning of the file, user block included. */
function checkComplete(source: Source, end: number): void {
  if (end <= source.size) return
  throw malformed(`the file is cut off: it has ${source.size} bytes, its superblock says ${end}`, {
    offset: source.size,
  })
}
