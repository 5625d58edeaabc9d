// HDF5 File Format Specification, sections II.A "Superblock Extension" and IV.A.2 on the messages that are in one.
import { unsupported } from '../../../errors.ts'
import type { ReadOptions } from '../../../source/source.ts'
import type { FileCursor } from './file-cursor.ts'
import { checkInside, cursorOver, type Hdf5File } from './hdf5-file.ts'
import { type HeaderMessage, readObjectHeader } from './object-header.ts'

const BTREE_K = 0x13
const DRIVER_INFO = 0x14
const FILE_SPACE_INFO = 0x17
const CACHE_IMAGE = 0x18
/** A library that did not know the message has said so: readers pass over it then, too. */
const WAS_UNKNOWN = 0x20

/** Superblocks from version 2 on keep what is not in all files in an object header of their own. */
export async function withExtension(file: Hdf5File, { signal }: ReadOptions): Promise<Hdf5File> {
  if (file.extensionAddress === undefined) return file
  const messages = await readObjectHeader(file, file.extensionAddress, signal)
  const find = (wanted: number) => {
    const message = messages.find(({ type }) => type === wanted)
    return message === undefined ? undefined : { message, cursor: cursorOver(file, message) }
  }
  if (find(DRIVER_INFO) !== undefined) {
    throw unsupported('HDF5 file driver', 'the file is one of several: its driver is not the simple one')
  }
  const space = find(FILE_SPACE_INFO)
  if (space !== undefined) checkFileSpace(space.message, space.cursor, file)
  const image = find(CACHE_IMAGE)
  if (image !== undefined) checkCacheImage(image.cursor, file)
  const sizes = find(BTREE_K)
  return sizes === undefined ? file : { ...file, ...parseBtreeSizes(sizes.cursor) }
}

function parseBtreeSizes(cursor: FileCursor): Pick<Hdf5File, 'chunkK' | 'groupInternalK' | 'groupLeafK'> {
  cursor.oneOf('B-tree K values message version', [0])
  const chunkK = cursor.u16()
  const groupInternalK = cursor.u16()
  return { chunkK, groupInternalK, groupLeafK: cursor.u16() }
}

/** Kinds of memory that free space is kept of, in either version of the message. */
const OLD_KINDS = 6
const KINDS = 12
const OLD_STRATEGIES = [1, 2, 3, 4]
const ALL_PERSIST = 1
const LEAST_PAGE = 512
const MOST_PAGE = 2 ** 30

/** How free space is kept is no matter to readers; that what says so is whole is (CVE-2020-10810): the library refuses such a file. */
function checkFileSpace({ flags }: HeaderMessage, cursor: FileCursor, { lengthSize, offsetSize }: Hdf5File): void {
  if ((flags & WAS_UNKNOWN) !== 0) return
  if (cursor.oneOf('file space info version', [0, 1]) === 0) {
    const strategy = cursor.oneOf('file space strategy', OLD_STRATEGIES)
    cursor.skip(lengthSize + (strategy === ALL_PERSIST ? OLD_KINDS * offsetSize : 0))
    return
  }
  cursor.skip(1)
  const isPersistent = cursor.u8() !== 0
  cursor.skip(lengthSize)
  const pageSize = cursor.roughLength()
  if (pageSize < LEAST_PAGE || pageSize > MOST_PAGE) throw cursor.fail(`pages of ${pageSize} bytes`)
  cursor.skip(2 + offsetSize + (isPersistent ? KINDS * offsetSize : 0))
}

/** An image of the library's cache is newer than the structures at their own addresses: those would be wrong without a sign. */
function checkCacheImage(cursor: FileCursor, file: Hdf5File): void {
  cursor.oneOf('metadata cache image version', [0])
  // CVE-2020-10812: it may be anywhere.
  checkInside(file, cursor.definedAddress('a metadata cache image'), cursor.length())
  throw unsupported(
    'HDF5 metadata cache image',
    'its metadata is in an image of the cache of the program that wrote it',
  )
}
