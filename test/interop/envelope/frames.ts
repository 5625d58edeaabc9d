import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, deflateSync, zstdCompressSync } from 'node:zlib'
import { shuffle } from '../../../src/codecs/kernels/shuffle.ts'
import { planDelivery } from '../../../src/delivery/plan.ts'
import { writeJson } from '../../../src/json/write.ts'
import type { DataType } from '../../../src/model/data-type.ts'
import type { StoredCodec } from '../../../src/model/encoding.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import { bodyOf, codec, deliverChunk, virtualArray, wholeRange, worldOf } from '../../delivery/world.ts'

/** One chunk stored in some way, and what it must decode to. */
export interface FrameCase {
  readonly name: string
  readonly array: VirtualArray
  readonly stored: Uint8Array
  readonly expected: Uint8Array
  readonly zarrType: string
  /** How the chunk goes out. */
  readonly way: 'envelope' | 'recode' | 'pass'
}

interface Kind {
  readonly zarrType: string
  readonly dataType: DataType
  readonly size: number
  readonly endian: 'little' | 'big'
}

const KINDS: readonly Kind[] = [
  { zarrType: 'uint8', dataType: { kind: 'uint', bits: 8 }, size: 1, endian: 'little' },
  { zarrType: 'int16', dataType: { kind: 'int', bits: 16 }, size: 2, endian: 'little' },
  { zarrType: 'int16', dataType: { kind: 'int', bits: 16 }, size: 2, endian: 'big' },
  { zarrType: 'float32', dataType: { kind: 'float', bits: 32 }, size: 4, endian: 'big' },
  { zarrType: 'float64', dataType: { kind: 'float', bits: 64 }, size: 8, endian: 'little' },
]

interface Stream {
  readonly name: string
  readonly codecs: readonly StoredCodec[]
  readonly make: (content: Uint8Array) => Uint8Array
}

const ZLIB = codec('numcodecs.zlib')
const ZSTD = codec('numcodecs.zstd')

const STREAMS: readonly Stream[] = [
  { name: 'zlib', codecs: [ZLIB], make: (content) => deflateSync(content) },
  { name: 'zlib without compression', codecs: [ZLIB], make: (content) => deflateSync(content, { level: 0 }) },
  { name: 'zstd', codecs: [ZSTD], make: (content) => zstd(content, {}) },
  {
    name: 'zstd without content size',
    codecs: [ZSTD],
    make: (content) => zstd(content, { [constants.ZSTD_c_contentSizeFlag]: 0 }),
  },
  {
    name: 'zstd with checksum',
    codecs: [ZSTD],
    make: (content) => zstd(content, { [constants.ZSTD_c_checksumFlag]: 1 }),
  },
  {
    name: 'zstd in two frames',
    codecs: [ZSTD],
    make: (content) => Buffer.concat([zstd(content.subarray(0, 10), {}), zstd(content.subarray(10), {})]),
  },
  { name: 'lz4', codecs: [codec('numcodecs.lz4')], make: lz4 },
  { name: 'nothing', codecs: [], make: (content) => content },
]

/** Every sort of frame: streams, shuffles, byte orders, sizes, and the lengths that decoders stumble over. */
export function frameCases(): FrameCase[] {
  const cases: FrameCase[] = []
  for (const kind of KINDS) {
    for (const stream of STREAMS) {
      for (const item of new Set([1, kind.size, 3, 8])) {
        for (const count of [37, 4001])
          cases.push(frameCase(kind, stream, item, pattern(count * kind.size), `${count}`))
        cases.push(frameCase(kind, stream, item, noise(500 * kind.size, 1), 'noise'))
      }
    }
  }
  const [, int16] = KINDS
  if (int16 === undefined) return cases
  cases.push(...trapCases(int16))
  for (const stream of STREAMS) cases.push(frameCase(int16, stream, 2, pattern(3_000_000), 'large'))
  return cases
}

/** Streams exactly as long as their content: decoders take them for the content. */
function trapCases(kind: Kind): FrameCase[] {
  return [1, 2].flatMap((item) => [
    frameCase(kind, { name: 'zlib', codecs: [ZLIB], make: deflateSync }, item, incompressible(item), 'trap'),
    // A zstd frame is at least a little longer, or much shorter; an empty skippable frame fills it up.
    frameCase(kind, { name: 'zstd', codecs: [ZSTD], make: filledZstd }, item, pattern(600), 'trap'),
  ])
}

function incompressible(item: number): Uint8Array {
  for (let seed = 1; seed < 400; seed++) {
    for (let zeros = 8; zeros < 80; zeros += 2) {
      const content = noise(600, seed)
      content.fill(0, 600 - zeros)
      if (deflateSync(shuffle(content, item)).length === 600) return content
    }
  }
  throw new Error('no zlib stream is as long as its content')
}

function filledZstd(content: Uint8Array): Uint8Array {
  const frame = zstd(content, {})
  const filler = Buffer.alloc(content.length - frame.length)
  filler.writeUInt32LE(0x184d2a50)
  filler.writeUInt32LE(filler.length - 8, 4)
  return Buffer.concat([frame, filler])
}

function frameCase(kind: Kind, stream: Stream, item: number, little: Uint8Array, what: string): FrameCase {
  const content = new Uint8Array(little.length)
  content.set(little)
  if (kind.endian === 'big') reverseItems(content, kind.size)
  const shuffles = item > 1 ? [codec('numcodecs.shuffle', { elementsize: item })] : []
  const encoding = [codec('bytes', { endian: kind.endian }), ...shuffles, ...stream.codecs]
  const stored = stream.make(shuffle(content, item))
  const shape = [little.length / kind.size]
  // A second way of storing chunks: without it, uncompressed arrays are served without any frame.
  const encodings = [encoding, [codec('bytes', { endian: kind.endian }), ZLIB]]
  const array = virtualArray({ shape, chunkShape: shape, dataType: kind.dataType, encodings }, [wholeRange(stored)])
  const isPass = stream.codecs[0] === ZSTD && item === 1
  const name = `${kind.zarrType} ${kind.endian} ${stream.name} item ${item} ${what}`
  return { name, array, stored, expected: little, zarrType: kind.zarrType, way: isPass ? 'pass' : 'envelope' }
}

/** Writes each case as a Zarr store of one array, with what it must read as beside it; returns the cases' folders by name. */
export async function writeFrames(folder: string, cases: readonly FrameCase[]): Promise<Map<string, string>> {
  const folders = new Map<string, string>()
  for (const [place, frame] of cases.entries()) {
    const path = join(folder, String(place))
    mkdirSync(join(path, 'c'), { recursive: true })
    writeFileSync(join(path, 'c', '0'), await bodyOf(await deliverChunk(frame.array, [0], worldOf(frame.stored))))
    writeFileSync(join(path, 'zarr.json'), writeJson(documentOf(frame)))
    writeFileSync(join(path, 'expected'), frame.expected)
    folders.set(frame.name, path)
  }
  return folders
}

function documentOf({ array, zarrType }: FrameCase) {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape: array.shape,
    data_type: zarrType,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: array.chunkShape } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: planDelivery(array, 'portable').codecs.map(({ name, configuration }) => ({ name, configuration })),
    attributes: {},
    dimension_names: ['x'],
    storage_transformers: [],
  }
}

function zstd(content: Uint8Array, params: Record<number, number>): Uint8Array {
  return zstdCompressSync(content, { params })
}

/** Values that repeat every 64 bytes, so that the LZ4 writer below has something to refer back to. */
function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at % 64) * 3)
}

function noise(length: number, seed: number): Uint8Array {
  let state = seed * 2654435761
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x9e3779b9) >>> 0
    return (state >>> 13) & 255
  })
}

/** numcodecs' header, then one block: literals alone, or where the content repeats, one match in between. */
function lz4(content: Uint8Array): Uint8Array {
  const header = Buffer.alloc(4)
  header.writeUInt32LE(content.length)
  const distance = [1, 64, 512].find((far) => content.length > far + 32 && isRepeated(content, far))
  if (distance === undefined) return Buffer.concat([header, sequence(content, undefined)])
  const match = content.length - distance - 12
  const first = sequence(content.subarray(0, distance), { distance, length: match })
  return Buffer.concat([header, first, sequence(content.subarray(distance + match), undefined)])
}

function isRepeated(content: Uint8Array, distance: number): boolean {
  return content.every((byte, at) => at < distance || byte === content[at - distance])
}

function sequence(
  literals: Uint8Array,
  match: { readonly distance: number; readonly length: number } | undefined,
): Buffer {
  const repeat = match === undefined ? 0 : match.length - 4
  const token = (Math.min(literals.length, 15) << 4) | Math.min(repeat, 15)
  const distance = match === undefined ? [] : [match.distance & 255, match.distance >> 8]
  const more = match === undefined ? [] : lengthBytes(repeat)
  return Buffer.concat([
    Uint8Array.from([token, ...lengthBytes(literals.length)]),
    literals,
    Uint8Array.from([...distance, ...more]),
  ])
}

function lengthBytes(length: number): number[] {
  if (length < 15) return []
  const rest = length - 15
  return [...new Array<number>(Math.floor(rest / 255)).fill(255), rest % 255]
}

function reverseItems(bytes: Uint8Array, size: number): void {
  for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse()
}
