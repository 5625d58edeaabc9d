// HDF5 File Format Specification, section II.A "Format Signature and Superblock".
import { malformed, unsupported } from '../../../errors.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'
import { FileCursor } from './file-cursor.ts'
import { Budget, cursorAt, type Hdf5File, verifyChecksum } from './hdf5-file.ts'
import { findSuperblock, SIGNATURE_BYTES } from './signature.ts'
import { withExtension } from './superblock-extension.ts'

/** Longest superblock: version 1 with the widest addresses that are served. */
const SUPERBLOCK_BYTES = 120
const SERVED_WIDTHS = [2, 4, 8]
const DEFAULT_CHUNK_K = 32

/** Finds and reads the superblock; what is before it is the user block. */
export async function readSuperblock(source: Source, options: ReadOptions): Promise<Hdf5File> {
  const found = await findSuperblock(source, SUPERBLOCK_BYTES, options)
  if (found === undefined) throw malformed('no HDF5 signature at byte 0, 512, 1024, ...', { offset: 0 })
  return await withExtension(parseSuperblock(found.bytes, source, found.at), options)
}

function parseSuperblock(bytes: Uint8Array, source: Source, base: number): Hdf5File {
  const version = bytes[8]
  if (version === 0 || version === 1) return parseOld(bytes, source, base)
  if (version === 2 || version === 3) return parseNew(bytes, source, base)
  throw malformed(`superblock version ${version}, expected 0 to 3`, { offset: base + 8 })
}

function parseOld(bytes: Uint8Array, source: Source, base: number): Hdf5File {
  const head = new FileCursor(bytes, { offsetSize: 8, lengthSize: 8 }, { base })
  head.skip(SIGNATURE_BYTES)
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
  const start = cursor.definedAddress('the beginning of the file')
  cursor.address()
  const end = cursor.definedAddress('the end of the file') - start
  const driver = cursor.address()
  if (driver !== undefined)
    throw unsupported('HDF5 file driver', 'the file is one of several: its driver is not the simple one')
  cursor.address()
  const rootAddress = cursor.definedAddress('the root group')
  checkComplete(source, base + end)
  const extensionAddress = undefined
  return {
    ...widths,
    source,
    base,
    end,
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
  head.skip(SIGNATURE_BYTES + 1)
  const widths = {
    offsetSize: head.oneOf('address size', SERVED_WIDTHS),
    lengthSize: head.oneOf('length size', SERVED_WIDTHS),
  }
  head.skip(1)
  const cursor = cursorAt({ ...widths, base }, bytes, 0)
  cursor.seek(head.position)
  const start = cursor.definedAddress('the beginning of the file')
  const extensionAddress = cursor.address()
  const end = cursor.definedAddress('the end of the file') - start
  const rootAddress = cursor.definedAddress('the root group')
  cursor.skip(4)
  verifyChecksum(bytes.subarray(0, cursor.position), 'the superblock', base)
  checkComplete(source, base + end)
  const old = { groupLeafK: 4, groupInternalK: 16, chunkK: DEFAULT_CHUNK_K }
  return { ...widths, source, base, end, ...old, rootAddress, extensionAddress, budget: new Budget() }
}

/**
 * The end is told from where the file began when it was written: a user block may have been put before it since, or taken off, and
 * the superblock's own place is where addresses count from.
 */
function checkComplete(source: Source, end: number): void {
  if (end <= source.size) return
  throw malformed(`the file is cut off: it has ${source.size} bytes, its superblock says ${end}`, {
    offset: source.size,
  })
}
