import { crc32 } from 'node:zlib'
import type { ByteRange } from '../src/bytes/byte-range.ts'
import { DEFAULT_PARSE_OPTIONS, type ParseContext } from '../src/formats/format.ts'
import { zarr } from '../src/formats/zarr/index.ts'
import type { VirtualNode } from '../src/model/virtual-store.ts'
import type { Source } from '../src/source/source.ts'

/** What a table of chunk references takes, as one answer of this child process. */
export interface MemoryResult {
  readonly references: number
  readonly bytesPerReference: number
}

const COMPRESSED_BYTES = 1000

/**
 * A zip archive of one array with very many chunks, of which only the directory exists: the one source of this version
 * whose references can't be computed. Run with `--expose-gc`; argv[2] chunks along each of two axes.
 */
async function main(): Promise<void> {
  const side = Number(process.argv[2])
  const source = zipOf(side)
  await zarr.parse(zipOf(8), contextOf(source))
  const before = memoryInUse()
  const kept = await zarr.parse(source, contextOf(source))
  const after = memoryInUse()
  assertChunks(kept, side)
  const references = side * side
  process.send?.({ url: '' })
  process.on('message', () => {
    process.send?.({ references, bytesPerReference: (after - before) / references } satisfies MemoryResult)
  })
}

function memoryInUse(): number {
  for (let round = 0; round < 4; round++) globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function assertChunks(node: VirtualNode, side: number): void {
  if (node.kind !== 'array' || node.chunks.gridShape[0] !== side)
    throw new Error('the archive was not read as one array')
}

/** Made anew with each read, so that nothing of it is kept but what the parser keeps. */
function zipOf(side: number): Source {
  const document = JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [side * 16, side * 16],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [16, 16] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'zstd', configuration: { level: 1, checksum: false } },
    ],
  })
  const head = Buffer.concat([localHeader('zarr.json', document), Buffer.from(document)])
  const directoryOffset = head.length + side * side * (30 + 'c/0000/0000'.length + COMPRESSED_BYTES)
  const directorySize = directoryOf(side, document).length
  const endLength = endRecord(side * side + 1, directorySize, directoryOffset).length
  return {
    url: 'memory:chunks.zip',
    size: directoryOffset + directorySize + endLength,
    validator: undefined,
    feed: () => Promise.reject(new Error('nothing is streamed')),
    read: async ({ offset, length }: ByteRange) => {
      const bytes = Buffer.alloc(length)
      head.copy(bytes, 0, Math.min(offset, head.length))
      const tail = Buffer.concat([
        directoryOf(side, document),
        endRecord(side * side + 1, directorySize, directoryOffset),
      ])
      const start = directoryOffset - offset
      if (start < length) tail.copy(bytes, Math.max(0, start), Math.max(0, -start))
      return bytes
    },
  }
}

function directoryOf(side: number, document: string): Buffer {
  const firstChunk = 30 + 'zarr.json'.length + document.length
  const bytes = Buffer.alloc((side * side + 1) * 57)
  let at = writeMember(bytes, 0, 'zarr.json', document.length, 0)
  bytes.writeUInt32LE(crc32(document), 16)
  let offset = firstChunk
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const name = `c/${row}/${column}`
      at = writeMember(bytes, at, name, COMPRESSED_BYTES, offset)
      offset += 30 + name.length + COMPRESSED_BYTES
    }
  }
  return bytes.subarray(0, at)
}

/** APPNOTE 4.3.12; returns the position after the member. */
function writeMember(bytes: Buffer, at: number, name: string, size: number, headerOffset: number): number {
  bytes.writeUInt32LE(0x02014b50, at)
  bytes.writeUInt16LE(20, at + 4)
  bytes.writeUInt16LE(20, at + 6)
  bytes.writeUInt32LE(size, at + 20)
  bytes.writeUInt32LE(size, at + 24)
  bytes.writeUInt16LE(name.length, at + 28)
  bytes.writeUInt32LE(headerOffset, at + 42)
  bytes.write(name, at + 46, 'latin1')
  return at + 46 + name.length
}

/** APPNOTE 4.3.7. */
function localHeader(name: string, content: string): Buffer {
  const bytes = Buffer.alloc(30 + name.length)
  bytes.writeUInt32LE(0x04034b50, 0)
  bytes.writeUInt16LE(20, 4)
  bytes.writeUInt32LE(crc32(content), 14)
  bytes.writeUInt32LE(content.length, 18)
  bytes.writeUInt32LE(content.length, 22)
  bytes.writeUInt16LE(name.length, 26)
  bytes.write(name, 30, 'latin1')
  return bytes
}

/** APPNOTE 4.3.16, and before it the zip64 forms (4.3.14, 4.3.15) where the archive needs them. */
function endRecord(count: number, size: number, offset: number): Buffer {
  const bytes = Buffer.alloc(22)
  bytes.writeUInt32LE(0x06054b50, 0)
  const isSmall = count < 0xffff && offset < 0xffffffff
  bytes.writeUInt16LE(isSmall ? count : 0xffff, 8)
  bytes.writeUInt16LE(isSmall ? count : 0xffff, 10)
  bytes.writeUInt32LE(isSmall ? size : 0xffffffff, 12)
  bytes.writeUInt32LE(isSmall ? offset : 0xffffffff, 16)
  if (isSmall) return bytes
  const zip64 = Buffer.alloc(76)
  zip64.writeUInt32LE(0x06064b50, 0)
  zip64.writeBigUInt64LE(44n, 4)
  zip64.writeBigUInt64LE(BigInt(count), 24)
  zip64.writeBigUInt64LE(BigInt(count), 32)
  zip64.writeBigUInt64LE(BigInt(size), 40)
  zip64.writeBigUInt64LE(BigInt(offset), 48)
  zip64.writeUInt32LE(0x07064b50, 56)
  zip64.writeBigUInt64LE(BigInt(offset + size), 64)
  zip64.writeUInt32LE(1, 72)
  return Buffer.concat([zip64, bytes])
}

function contextOf(source: Source): ParseContext {
  return {
    options: DEFAULT_PARSE_OPTIONS,
    open: () => Promise.reject(new Error(`${source.url} names no other document`)),
    list: async () => undefined,
    reference: () => 0,
    referenceIf: () => 0,
    isVersion: () => {},
    room: (_bytes, work) => work(),
    warn: () => {},
  }
}

await main()
