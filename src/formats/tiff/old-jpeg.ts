// TIFF 6.0 section 22: where a file of the old kind of JPEG keeps what its blocks have in common.
import { isVirtualZarrError, malformed } from '../../errors.ts'
import type { TagReading, Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'

/** The markers of a stream up to the data of its first scan; nothing where the file keeps none. */
export async function readOldJpegHeader(tags: Tags, reading: TagReading): Promise<Uint8Array> {
  try {
    const begun = await interchangeHeader(tags, reading)
    return begun ?? (await headerOfTables(tags, reading)) ?? new Uint8Array(0)
  } catch (error) {
    if (!isVirtualZarrError(error, 'malformed-source')) throw error
    // Blocks may be whole streams; those that aren't say what they lack.
    return new Uint8Array(0)
  }
}

const YCBCR = 6
const RGB = 2

/** What libtiff assumes where a directory of old JPEG says nothing, or that it is RGB, which nobody wrote (tif_dirread.c). */
export function oldJpegDefaults(tags: Tags): { readonly photometric: number; readonly samples: number } {
  const said = tags.number(TAG.photometric)
  const photometric = said === undefined || said === RGB ? YCBCR : said
  return { photometric, samples: tags.number(TAG.samplesPerPixel) ?? (photometric === YCBCR ? 3 : 1) }
}

const MOST_HEADER_BYTES = 65_536
const START = 0xd8
const SCAN = 0xda

/** JPEGInterchangeFormat: a stream of its own, in which the blocks lie. */
async function interchangeHeader(tags: Tags, reading: TagReading): Promise<Uint8Array | undefined> {
  const offset = tags.number(TAG.jpegInterchangeFormat) ?? 0
  if (offset === 0) return undefined
  const bytes = await bytesAt(offset, MOST_HEADER_BYTES, reading)
  if (bytes[0] !== 0xff || bytes[1] !== START) return undefined
  for (let at = 2; at + 3 < bytes.length; ) {
    if (bytes[at] !== 0xff) break
    const end = at + 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
    if (bytes[at + 1] === SCAN && end <= bytes.length) return bytes.slice(0, end)
    at = end
  }
  return undefined
}

const QUANTIZATION_BYTES = 64
const COUNTS = 16

/** JPEGQTables, JPEGDCTables and JPEGACTables: tables without a stream, one for each component. */
async function headerOfTables(tags: Tags, reading: TagReading): Promise<Uint8Array | undefined> {
  const [quantization, dc, ac] = [TAG.jpegQTables, TAG.jpegDcTables, TAG.jpegAcTables].map((tag) => tags.numbers(tag))
  if (quantization === undefined || dc === undefined || ac === undefined) return undefined
  const samples = Math.min(oldJpegDefaults(tags).samples, 4)
  const segments: Uint8Array[] = [Uint8Array.of(0xff, START)]
  for (let component = 0; component < samples; component++) {
    const table = await bytesAt(quantization[component] ?? 0, QUANTIZATION_BYTES, reading)
    segments.push(segment(0xdb, [component, ...table]))
    segments.push(segment(0xc4, [component, ...(await huffman(dc[component] ?? 0, reading))]))
    segments.push(segment(0xc4, [0x10 | component, ...(await huffman(ac[component] ?? 0, reading))]))
  }
  const restart = tags.number(TAG.jpegRestartInterval) ?? 0
  if (restart > 0) segments.push(segment(0xdd, word(restart)))
  segments.push(
    segment(0xc0, [
      8,
      ...word(1),
      ...word(tags.number(TAG.tileWidth) ?? tags.number(TAG.imageWidth) ?? 0),
      ...components(tags, samples),
    ]),
  )
  const parts = Array.from({ length: samples }, (_, i) => [i + 1, i * 17]).flat()
  segments.push(segment(SCAN, [samples, ...parts, 0, 63, 0]))
  return new Uint8Array(Buffer.concat(segments))
}

/** Sizes of the components against each other: chroma is of half the size where nothing is said. */
function components(tags: Tags, samples: number): number[] {
  const [across = 2, down = 2] = tags.numbers(TAG.yCbCrSubsampling) ?? []
  const first = samples > 1 && oldJpegDefaults(tags).photometric === YCBCR ? across * 16 + down : 0x11
  return [samples, ...Array.from({ length: samples }, (_, i) => [i + 1, i === 0 ? first : 0x11, i]).flat()]
}

async function huffman(offset: number, reading: TagReading): Promise<Uint8Array> {
  const counts = await bytesAt(offset, COUNTS, reading)
  const count = counts.reduce((sum, each) => sum + each, 0)
  return await bytesAt(offset, COUNTS + count, reading, COUNTS + count)
}

function segment(marker: number, content: readonly number[]): Uint8Array {
  return Uint8Array.of(0xff, marker, ...word(content.length + 2), ...content)
}

function word(value: number): [number, number] {
  return [(value >> 8) & 255, value & 255]
}

/** Bytes of the file, fewer at its end; at least `least`. */
async function bytesAt(
  offset: number,
  length: number,
  { source, context, budget }: TagReading,
  least = Math.min(length, COUNTS),
): Promise<Uint8Array> {
  const there = Math.min(length, source.size - offset)
  if (!Number.isSafeInteger(offset) || offset < 8 || there < least)
    throw malformed('a table of old JPEG is not in the file')
  budget.take(there)
  return await source.read({ offset, length: there }, context)
}
