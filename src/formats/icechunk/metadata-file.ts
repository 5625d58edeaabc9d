// Icechunk's specification, "Metadata files": 39 bytes before a FlatBuffer, which zstd compresses as a whole.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { mostZstdContent } from '../../codecs/kernels/zstd-frames.ts'
import { type ErrorContext, malformed, overLimit, unsupported } from '../../errors.ts'
import { FlatBuffer } from './flat-buffer.ts'
import { FILE_TYPES, type FileType, MAGIC, TYPE_AT } from './mark.ts'

const VERSION_AT = 36
const COMPRESSION_AT = 38
const HEADER_BYTES = 39
/** The root's offset, and a table without fields. */
const LEAST_CONTENT = 12
/** Specification versions that are read. */
const NEWEST = 2

/** Shorter content may be compressed as well as it likes. */
const ANY_RATIO_BYTES = 2 ** 20
/** What repeats itself most (documents of arrays that differ in their names) stays far below. */
const MOST_RATIO = 1000

/** What may be held while a file is read. */
export interface FileLimits {
  readonly mostBytes: number
  /** Runs work that holds so many bytes. */
  room<T>(bytes: number, work: () => Promise<T>): Promise<T>
}

/** Uses the content of a whole file, which is given up afterwards. */
export async function withContent<T>(
  file: Uint8Array,
  type: FileType,
  limits: FileLimits,
  place: ErrorContext,
  use: (content: FlatBuffer) => T | Promise<T>,
): Promise<T> {
  checkHeader(file, type, place)
  const body = file.subarray(HEADER_BYTES)
  const isCompressed = file[COMPRESSION_AT] === 1
  const most = isCompressed ? mostZstdContent(body) : body.length
  if (most > limits.mostBytes) {
    throw overLimit(`a ${type} file of up to ${most} bytes, at most ${limits.mostBytes} are read`, place)
  }
  if (most > ANY_RATIO_BYTES && most > body.length * MOST_RATIO) {
    throw overLimit(
      `a ${type} file of ${body.length} bytes inflates to ${most}, at most ${MOST_RATIO} times as much is read`,
      place,
    )
  }
  return await limits.room(most, async () => {
    const content = isCompressed ? await inflated(body, most, type, place) : body
    if (content.length < LEAST_CONTENT)
      throw malformed(`a ${type} file holds ${content.length} bytes of content`, place)
    return await use(new FlatBuffer(content, place))
  })
}

function checkHeader(file: Uint8Array, type: FileType, place: ErrorContext): void {
  if (file.length < HEADER_BYTES || !MAGIC.equals(file.subarray(0, MAGIC.length))) {
    throw malformed(`a ${type} file of ${file.length} bytes does not begin as files of Icechunk do`, place)
  }
  const version = file[VERSION_AT] ?? 0
  if (version === 0 || version > NEWEST) {
    throw unsupported(
      `Icechunk format ${version}`,
      `a ${type} file is of format ${version}, read are 1 to ${NEWEST}`,
      place,
    )
  }
  if (file[TYPE_AT] !== FILE_TYPES[type]) {
    throw malformed(`a file is of type ${file[TYPE_AT]}, expected ${FILE_TYPES[type]} of a ${type} file`, place)
  }
  const compression = file[COMPRESSION_AT] ?? 0
  if (compression > 1)
    throw unsupported(`compression ${compression}`, `a ${type} file has compression ${compression}`, place)
}

const inflate = promisify(zstdDecompress)

/** In one piece, and off the main thread. */
async function inflated(body: Uint8Array, most: number, type: FileType, place: ErrorContext): Promise<Uint8Array> {
  try {
    return await inflate(body, { maxOutputLength: Math.max(most, 1), chunkSize: Math.max(most, 64) })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw malformed(`the zstd stream of a ${type} file is damaged: ${reason}`, place, cause)
  }
}
