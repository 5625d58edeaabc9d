import { type BitshuffleParameters, bitshuffle } from '../../../codecs/hdf5/bitshuffle.ts'
import { blosc2 } from '../../../codecs/hdf5/blosc2.ts'
import { jpegLs } from '../../../codecs/hdf5/jpegls.ts'
import { lz4Hdf5 } from '../../../codecs/hdf5/lz4-blocks.ts'
import { lzf } from '../../../codecs/hdf5/lzf.ts'
import { lzo } from '../../../codecs/hdf5/lzo.ts'
import { nbit } from '../../../codecs/hdf5/nbit.ts'
import { scaleOffsetHdf5 } from '../../../codecs/hdf5/scale-offset.ts'
import { szip } from '../../../codecs/hdf5/szip.ts'
import { zfp } from '../../../codecs/hdf5/zfp.ts'
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
const BITSHUFFLE_COMPRESSIONS: Readonly<Record<number, BitshuffleParameters['compression']>> = {
  0: 'none',
  2: 'lz4',
  3: 'zstd',
}

/** By the numbers of the HDF Group's registry of filters. */
const FILTERS: ReadonlyMap<number, Make> = new Map<number, Make>([
  [1, (data) => codec('numcodecs.zlib', { level: data[0] ?? 6 })],
  [2, (data, type) => codec('numcodecs.shuffle', { elementsize: data[0] ?? type.size })],
  [3, () => codec('numcodecs.fletcher32')],
  [
    4,
    ([mask = 0, pixelsPerBlock = 0, bitsPerPixel = 0, pixelsPerScanline = 0]) =>
      szip.stored({ mask, pixelsPerBlock, bitsPerPixel, pixelsPerScanline }),
  ],
  [5, (clientData) => nbit.stored({ clientData })],
  [6, (clientData) => scaleOffsetHdf5.stored({ clientData })],
  [305, () => lzo.stored({})],
  [307, (data) => codec('numcodecs.bz2', { level: data[0] ?? 9 })],
  [32000, () => lzf.stored({})],
  [32001, bloscOf],
  [32004, () => lz4Hdf5.stored({})],
  [32008, bitshuffleOf],
  [32013, (clientData) => zfp.stored({ clientData })],
  [32015, (data) => codec('zstd', { level: data[0] ?? 3, checksum: false })],
  [32018, () => jpegLs.stored({})],
  [32026, () => blosc2.stored({})],
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
  const [, , elementsize = type.size, blocksize = 0, number = 0] = data
  const compression = BITSHUFFLE_COMPRESSIONS[number]
  if (compression === undefined) {
    throw unsupported(`bitshuffle compression ${number}`, `bitshuffle: compression ${number} is none of 0, 2 and 3`)
  }
  return bitshuffle.stored({ elementsize, blocksize, compression })
}
