import { unsupported } from '../../../errors.ts'
import type { JsonObject } from '../../../json/json.ts'
import type { StoredCodec } from '../../../model/encoding.ts'
import type { Datatype } from '../messages/datatype.ts'
import type { Filter } from '../messages/filter-pipeline.ts'

type Make = (clientData: readonly number[], type: Datatype) => StoredCodec

function codec(name: string, configuration: JsonObject = {}): StoredCodec {
  return { name, configuration }
}

const BLOSC_COMPRESSORS = ['blosclz', 'lz4', 'lz4hc', 'snappy', 'zlib', 'zstd']
const BLOSC_SHUFFLES = ['noshuffle', 'shuffle', 'bitshuffle']
const BITSHUFFLE_COMPRESSIONS: Readonly<Record<number, string>> = { 0: 'none', 2: 'lz4', 3: 'zstd' }

/** By the numbers of the HDF Group's registry of filters. */
const FILTERS: ReadonlyMap<number, Make> = new Map<number, Make>([
  [1, (data) => codec('numcodecs.zlib', { level: data[0] ?? 6 })],
  [2, (data, type) => codec('numcodecs.shuffle', { elementsize: data[0] ?? type.size })],
  [3, () => codec('numcodecs.fletcher32')],
  [
    4,
    (data) =>
      codec('vz.szip', {
        mask: data[0] ?? 0,
        pixelsPerBlock: data[1] ?? 0,
        bitsPerPixel: data[2] ?? 0,
        pixelsPerScanline: data[3] ?? 0,
      }),
  ],
  [5, (data) => codec('vz.nbit', { clientData: [...data] })],
  [6, (data) => codec('vz.scaleoffset', { clientData: [...data] })],
  [305, () => codec('vz.lzo')],
  [307, (data) => codec('numcodecs.bz2', { level: data[0] ?? 9 })],
  [32000, () => codec('vz.lzf')],
  [32001, bloscOf],
  [32004, () => codec('vz.lz4-hdf5')],
  [32008, bitshuffleOf],
  [32013, (data) => codec('vz.zfp', { clientData: [...data] })],
  [32015, (data) => codec('zstd', { level: data[0] ?? 3, checksum: false })],
  [32018, () => codec('vz.jpegls')],
  [32026, () => codec('vz.blosc2')],
])

/** The codecs of a pipeline, in the order its filters were applied. */
export function filterCodecs(filters: readonly Filter[], type: Datatype): readonly StoredCodec[] {
  return filters.map(({ id, name, clientData }) => {
    const make = FILTERS.get(id)
    if (make !== undefined) return make(clientData, type)
    const filter = name === '' ? `filter ${id}` : `filter ${id} (${name})`
    throw unsupported('HDF5 filter', `chunks were written with ${filter}, which is not known`)
  })
}

/** Client data: two versions, item size, chunk size, and, where given, level, shuffle and compressor. */
function bloscOf(data: readonly number[], type: Datatype): StoredCodec {
  return codec('blosc', {
    cname: BLOSC_COMPRESSORS[data[6] ?? 0] ?? 'blosclz',
    clevel: Math.min(data[4] ?? 5, 9),
    shuffle: BLOSC_SHUFFLES[data[5] ?? 1] ?? 'shuffle',
    typesize: Math.max(data[2] ?? type.size, 1),
    blocksize: 0,
  })
}

/** Client data: two versions, item size, block size in items, compression and its level. */
function bitshuffleOf(data: readonly number[], type: Datatype): StoredCodec {
  return codec('vz.bitshuffle', {
    elementsize: data[2] ?? type.size,
    blocksize: data[3] ?? 0,
    compression: BITSHUFFLE_COMPRESSIONS[data[4] ?? 0] ?? 'unknown',
  })
}
