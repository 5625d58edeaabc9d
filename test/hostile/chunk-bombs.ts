import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { encode, layoutOf, UINT8 } from '../codecs/codec-of.ts'
import { buildTiff, dataStart, greyFields } from '../formats/tiff/build.ts'
import { type Bomb, text, times } from './bomb.ts'
import { DEFLATED, dataset, Hdf5Builder, hardLink, LINK_INFO, objectHeader, oneChunk } from './hdf5-file.ts'

/** The most that a chunk may decode to. */
const MOST = 2 ** 28
const SIDE = 2 ** 14

const zeros = () => Buffer.alloc(MOST)

/** Chunks: few bytes that decode to the most there may be, or to more, or take long to. */
export const CHUNK_BOMBS: readonly Bomb[] = [
  zarrBomb('gzip', ['gzip'], () => gzipSync(zeros(), { level: 1 })),
  zarrBomb('zstd', ['zstd'], () => zstdCompressSync(zeros())),
  zarrBomb('blosc', [BLOSC_LZ4()], () => encode(zeros(), [BYTES, BLOSC_LZ4()], layoutOf(UINT8, MOST))),
  zarrBomb('gzip in gzip in gzip', ['gzip', 'gzip', 'gzip'], () =>
    gzipSync(gzipSync(gzipSync(zeros(), { level: 1 }), { level: 1 }), { level: 1 }),
  ),
  zarrBomb('zstd of 2 GB', ['zstd'], () => {
    const frame = zstdCompressSync(zeros())
    return Buffer.concat(times(8, () => frame))
  }),
  {
    name: 'hdf5 chunk of 256 MB, deflated, raw',
    source: 'deflate.h5',
    options: ';codecs=raw',
    keys: ['zarr.json', 'x/c/0'],
    files: () => ({ 'deflate.h5': deflatedDataset() }),
  },
  tiffBomb('LZW of 256 MB', 5, () => lzwOfZeros(MOST)),
  tiffBomb('deflate of 256 MB', 8, () => deflateSync(zeros(), { level: 1 })),
  tiffBomb('progressive JPEG of 10,000 scans', 7, () => progressiveJpeg(SIDE, 10_000)),
  tiffBomb('progressive JPEG of 190 scans', 7, () => progressiveJpeg(SIDE, 190)),
]

const BYTES = { name: 'bytes', configuration: {} }

function BLOSC_LZ4() {
  return {
    name: 'blosc',
    configuration: { cname: 'lz4', clevel: 5, shuffle: 'noshuffle', typesize: 1, blocksize: 0 },
  }
}

type CodecName = string | { readonly name: string; readonly configuration: object }

/** An array of one chunk, served as plain bytes. */
function zarrBomb(name: string, codecs: readonly CodecName[], stored: () => Uint8Array): Bomb {
  const folder = `${name.replaceAll(' ', '-')}/`
  return {
    name: `zarr chunk of 256 MB: ${name}`,
    source: folder,
    options: ';codecs=raw',
    keys: ['zarr.json', 'c/0'],
    files: () => ({ [`${folder}zarr.json`]: text(zarrArray(codecs)), [`${folder}c/0`]: stored() }),
  }
}

function zarrArray(codecs: readonly CodecName[]): string {
  const named = codecs.map((codec) =>
    typeof codec === 'string' ? { name: codec, configuration: CONFIGURED[codec] } : codec,
  )
  return JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [MOST],
    data_type: 'uint8',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [MOST] } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: [BYTES, ...named],
    attributes: {},
  })
}

const CONFIGURED: Readonly<Record<string, object>> = { gzip: { level: 1 }, zstd: { level: 0, checksum: false } }

function deflatedDataset(): Uint8Array {
  const builder = new Hdf5Builder()
  const stored = deflateSync(zeros(), { level: 1 })
  const tree = builder.put(oneChunk(builder.put(stored), stored.length))
  const x = builder.put(dataset({ shape: [MOST], chunks: { shape: [MOST], tree }, further: [DEFLATED] }))
  return builder.finish(builder.put(objectHeader([LINK_INFO, hardLink('x', x)])))
}

/** A picture of one block. */
function tiffBomb(name: string, compression: number, stored: () => Uint8Array): Bomb {
  const source = `${name.replaceAll(/[ ,]/g, '-')}.tif`
  return {
    name: `tiff block: ${name}`,
    source,
    keys: ['zarr.json', 'band_data/c/0/0'],
    files: () => {
      const data = stored()
      const fields = greyFields(SIDE, SIDE, [
        { tag: 259, type: 3, values: [compression] },
        { tag: 273, type: 4, values: [dataStart()] },
        { tag: 279, type: 4, values: [data.length] },
      ])
      return { [source]: buildTiff([{ fields }], { data }) }
    },
  }
}

/** Strings of zeros, each one longer than the one before: the table is begun anew when it is full. */
function lzwOfZeros(length: number): Uint8Array {
  const bytes: number[] = []
  let word = 0
  let count = 0
  const write = (code: number, width: number) => {
    word = (word << width) | code
    count += width
    while (count >= 8) {
      count -= 8
      bytes.push((word >> count) & 255)
      word &= (1 << count) - 1
    }
  }
  for (let done = 0; done < length; ) {
    write(256, 9)
    for (let size = 1, next = 258, width = 9; next < 4094 && done < length; size++) {
      write(size === 1 ? 0 : next - 1, width)
      done += size
      if (size > 1 || next === 258) next++
      if (next >= 1 << width && width < 12) width++
    }
  }
  write(257, 12)
  write(0, 8)
  return Uint8Array.from(bytes)
}

/** Scans of one band that is zero in all blocks, in runs of 32,767 blocks. */
export function progressiveJpeg(side: number, scans: number): Uint8Array {
  const segment = (marker: number, ...content: number[]) => [0xff, marker, 0, content.length + 2, ...content]
  const blocks = (side / 8) ** 2
  // One code of one bit: the same mean as before.
  const means = segment(0xc4, 0x00, ...[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0)
  const first = [...segment(0xda, 1, 1, 0x00, 0, 0, 0x00), ...new Array<number>(Math.ceil(blocks / 8)).fill(0)]
  // One code of four bits: a run of 2^14 blocks and as many more as the next 14 bits say.
  const huffman = segment(0xc4, 0x10, ...[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0xe0)
  const frame = segment(0xc2, 8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0)
  // Four bits of code and fourteen of length, all zeros: no stuffing.
  const run = new Array<number>(Math.ceil((Math.ceil(blocks / 2 ** 14) * 18) / 8)).fill(0)
  const scan = [...segment(0xda, 1, 1, 0x00, 1, 63, 0x00), ...run]
  const quantization = segment(0xdb, 0, ...new Array<number>(64).fill(1))
  const head = Uint8Array.from([0xff, 0xd8, ...quantization, ...frame, ...means, ...huffman].concat(first))
  return Buffer.concat([head, ...times(scans, () => Uint8Array.from(scan)), Uint8Array.of(0xff, 0xd9)])
}
