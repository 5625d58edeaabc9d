import { deflateSync } from 'node:zlib'
import { decodeChunk, encodeElements } from '../src/codecs/decode.ts'
import { envelopeFrame } from '../src/codecs/kernels/blosc-frame.ts'
import { shuffle } from '../src/codecs/kernels/shuffle.ts'
import type { DataType } from '../src/model/data-type.ts'
import type { Encoding } from '../src/model/encoding.ts'
import { median } from './rounds.ts'

export interface RecodeResult {
  readonly name: string
  readonly megabytesPerSecond: number
}

const DATA_TYPE: DataType = { kind: 'float', bits: 32 }
const SHAPE = [512, 512]
const STORED: Encoding = [
  { name: 'bytes', configuration: { endian: 'little' } },
  { name: 'numcodecs.shuffle', configuration: { elementsize: 4 } },
  { name: 'numcodecs.zlib', configuration: { level: 4 } },
]
const TARGET: Encoding = [
  { name: 'bytes', configuration: { endian: 'little' } },
  { name: 'blosc', configuration: { typesize: 4, cname: 'zstd', clevel: 1, shuffle: 'shuffle', blocksize: 0 } },
]

/** What HDF5's shuffle and deflate cost on the way to `portable`, on one core, for one smooth 1 MiB chunk. */
export async function recodeThroughput(rounds: number): Promise<RecodeResult[]> {
  const decoded = smoothField()
  const stored = deflateSync(shuffle(decoded, 4), { level: 4 })
  const layout = { shape: SHAPE, dataType: DATA_TYPE }
  const inflate = () => decodeChunk(stored, STORED, layout, { limit: decoded.length })
  const envelope = async () => {
    const frame = envelopeFrame(
      { stream: 'zlib', itemSize: 4, shuffled: true, decodedLength: decoded.length },
      stored.length,
    )
    if (frame === undefined) throw new Error('no envelope')
    return Buffer.concat([frame.prefix, stored, frame.suffix])
  }
  const recode = async () => encodeElements(await inflate(), TARGET, layout)
  return [
    {
      name: 'envelope: a prefix, nothing is inflated',
      megabytesPerSecond: await measure(envelope, decoded.length, rounds),
    },
    {
      name: 'inflating and unshuffling alone',
      megabytesPerSecond: await measure(async () => await inflate(), decoded.length, rounds),
    },
    { name: 'recoding to blosc (zstd, level 1)', megabytesPerSecond: await measure(recode, decoded.length, rounds) },
  ]
}

/** Like a temperature field: neighbours are alike, the last bits are noise. */
function smoothField(): Uint8Array {
  const values = new Float32Array(512 * 512)
  let seed = 1
  for (let index = 0; index < values.length; index++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    values[index] = 280 + 20 * Math.sin(index / 512 / 50) * Math.cos((index % 512) / 70) + seed / 2_147_483_648 / 100
  }
  return new Uint8Array(values.buffer)
}

async function measure(work: () => Promise<unknown>, bytes: number, rounds: number): Promise<number> {
  const rates: number[] = []
  for (let round = -1; round < rounds; round++) {
    const start = performance.now()
    let count = 0
    while (performance.now() - start < 200) {
      await work()
      count++
    }
    if (round >= 0) rates.push((bytes * count) / 1e6 / ((performance.now() - start) / 1000))
  }
  return median(rates)
}
