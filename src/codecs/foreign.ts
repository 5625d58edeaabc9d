import { isVirtualZarrError } from '../errors.ts'
import type { DataType } from '../model/data-type.ts'
import type { Encoding } from '../model/encoding.ts'
import { elementCount } from '../model/shape.ts'
import type { ChunkLayout } from './codec.ts'
import { packedLength } from './elements.ts'
import { parseBloscHeader } from './kernels/blosc-frame.ts'
import { prepareEncoding } from './prepare.ts'
import { findCodec } from './registry.ts'
import { checksumPlace } from './zarr/checksum.ts'

// An origin may answer with another object, or with a page, and call it a success. Here is how much of that shows in the
// first bytes and the length: all that is known before a chunk is handed on.

/** Bytes from the start of a chunk that are looked at. */
export const HEAD_OF_CHUNK = 64

/** Why bytes that begin so, and are so many, can't be a chunk in this encoding; undefined where they may be. */
export function foreignTo(
  encoding: Encoding,
  layout: ChunkLayout,
  head: Uint8Array,
  length: number,
): string | undefined {
  if (length === 0) return 'empty'
  const inner = innerLayout(encoding, layout)
  if (inner === undefined) return pageIn(head)
  const first = encoding.findLastIndex(({ name }) => findCodec(name)?.kind === 'serial')
  const outer = encoding.slice(first + 1)
  const lengths = lengthsOf(encoding[first]?.name, outer, inner)
  let seen = head
  let left = length
  for (const [place, { name, configuration }] of [...outer.entries()].reverse()) {
    const sum = checksumPlace(name, configuration)
    if (sum === undefined) {
      const begins = BEGINNINGS[name]
      if (begins !== undefined) return begins(seen, left, lengths[place])
      break
    }
    if (sum === 'start') seen = seen.subarray(4)
    left -= 4
  }
  const expected = lengths.at(-1)
  if (expected !== undefined) {
    if (length !== expected) return `${length} bytes, expected ${expected}`
    return mayBeText(layout.dataType) ? undefined : pageIn(head)
  }
  if (outer.length > 0 || !TEXTS.includes(encoding[first]?.name ?? '')) return pageIn(head)
  const count = elementCount(layout.shape)
  return head.length === 0 || numberAt(head) === count ? undefined : `text that does not begin with its count, ${count}`
}

const TEXTS: readonly string[] = ['vlen-utf8', 'vlen-bytes']

/** What the codec sees that makes bytes; undefined for chunks that only clients can decode, which go out as they are. */
function innerLayout(encoding: Encoding, layout: ChunkLayout): ChunkLayout | undefined {
  try {
    return prepareEncoding(encoding, layout).inner
  } catch (error) {
    if (isVirtualZarrError(error, 'unsupported-feature')) return undefined
    throw error
  }
}

/** The length before each byte codec, and that of the whole; undefined from where it depends on the content. */
function lengthsOf(serial: string | undefined, outer: Encoding, inner: ChunkLayout): (number | undefined)[] {
  const lengths = [serial === 'bytes' ? packedLength(inner) : undefined]
  for (const { name, configuration } of outer) {
    const before = lengths.at(-1)
    const codec = findCodec(name)
    const isSum = checksumPlace(name, configuration) !== undefined
    const keeps = name === 'numcodecs.shuffle' || (codec?.kind === 'bytes' && codec.keepsLength === true)
    lengths.push(before === undefined || !(isSum || keeps) ? undefined : before + (isSum ? 4 : 0))
  }
  return lengths
}

/** Bytes of one character each may well be those of a document. */
function mayBeText(type: DataType): boolean {
  if (type.kind === 'int' || type.kind === 'uint') return type.bits === 8
  return !['float', 'complex', 'datetime', 'timedelta'].includes(type.kind)
}

/** An HTML or XML page; for what has no beginning of its own. */
function pageIn(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')
  return /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|\?xml|error\b)/i.test(text) ? 'a page' : undefined
}

type Beginning = (head: Uint8Array, length: number, decoded: number | undefined) => string | undefined

const gzip = magic('gzip', 18, (head) => head[0] === 0x1f && head[1] === 0x8b && head[2] === 8)
// RFC 1950, section 2.2: method 8, and a check of both bytes.
const zlib = magic('zlib', 8, ([first = 0, second = 0]) => (first & 15) === 8 && ((first << 8) | second) % 31 === 0)
// RFC 8878, sections 3.1.1 and 3.1.2: a frame, or one to be skipped.
const zstd = magic('zstd', 9, (head) => numberAt(head) === 0xfd2fb528 || numberAt(head) >>> 4 === 0x184d2a5)
const bz2 = magic('bzip2', 14, (head) => Buffer.from(head.subarray(0, 3)).toString('latin1') === 'BZh')

const BEGINNINGS: Readonly<Record<string, Beginning>> = {
  gzip,
  'numcodecs.gzip': gzip,
  'numcodecs.zlib': zlib,
  imagecodecs_zlib: zlib,
  zstd,
  'numcodecs.zstd': zstd,
  imagecodecs_zstd: zstd,
  'numcodecs.bz2': bz2,
  imagecodecs_bz2: bz2,
  blosc: bloscFrame,
  'numcodecs.blosc': bloscFrame,
  'numcodecs.lz4': (head, length, decoded) => {
    if (length < 5 || decoded === undefined || head.length === 0 || numberAt(head) === decoded) return undefined
    return `LZ4 of ${numberAt(head)} bytes, expected ${decoded}`
  },
}

function magic(name: string, least: number, begins: (head: Uint8Array) => boolean): Beginning {
  return (head, length) => {
    if (length < least) return `${length} bytes, too few for ${name}`
    return head.length === 0 || begins(head) ? undefined : `no ${name} stream`
  }
}

function bloscFrame(head: Uint8Array, length: number, decoded: number | undefined): string | undefined {
  if (length < 16) return `${length} bytes, too few for a Blosc frame`
  if (head.length === 0) return undefined
  const header = parseBloscHeader(head)
  if (header === undefined) return 'no Blosc frame'
  const { frameLength, decodedLength } = header
  if (frameLength > length) return `${length} bytes of a Blosc frame of ${frameLength}`
  return decoded === undefined || decodedLength === decoded
    ? undefined
    : `Blosc of ${decodedLength} bytes, expected ${decoded}`
}

/** The first four bytes as a little-endian number. */
function numberAt([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0
}
