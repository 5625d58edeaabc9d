import { constants as zlib, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { shuffle, unshuffle } from '../src/codecs/kernels/shuffle.ts'
import { bytesOf, type Numbers } from '../src/codecs/numbers.ts'

const SIDE = 512
const LEAST_MILLISECONDS = 150

interface Sample {
  readonly name: string
  readonly numbers: Numbers
}

/** What levels of zstd cost, with bytes shuffled and without, and what they save: the compression that recoded chunks go out in. */
export function benchLevels(): void {
  console.log(
    '| values | level | shuffle | of plain | encode MB/s | decode MB/s |\n| --- | --- | --- | --- | --- | --- |',
  )
  for (const sample of samples())
    for (const isShuffled of sample.numbers.BYTES_PER_ELEMENT > 1 ? [true, false] : [false])
      for (const level of [1, 3, 6]) console.log(rowOf(sample, level, isShuffled))
}

function rowOf({ name, numbers }: Sample, level: number, isShuffled: boolean): string {
  const bytes = bytesOf(numbers)
  const size = numbers.BYTES_PER_ELEMENT
  const params = { [zlib.ZSTD_c_compressionLevel]: level }
  let wire = new Uint8Array(0)
  const encode = perRun(() => {
    wire = new Uint8Array(zstdCompressSync(isShuffled ? shuffle(bytes, size) : bytes, { params }))
  })
  const decode = perRun(() => {
    const plain = new Uint8Array(zstdDecompressSync(wire))
    if (isShuffled) unshuffle(plain, size)
  })
  const rate = (milliseconds: number) => (bytes.length / 1e3 / milliseconds).toFixed(0)
  return `| ${name} | ${level} | ${isShuffled ? 'yes' : 'no'} | ${(wire.length / bytes.length).toFixed(3)} | ${rate(encode)} | ${rate(decode)} |`
}

/** Milliseconds of processor time of one run, over many. */
function perRun(work: () => void): number {
  work()
  const start = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    work()
    const { user, system } = process.threadCpuUsage(start)
    if (user + system > LEAST_MILLISECONDS * 1000) return (user + system) / 1000 / runs
  }
}

/** A smooth field, one with noise, counts, names of classes. */
function samples(): Sample[] {
  const points = Array.from({ length: SIDE * SIDE }, (_, i) => [Math.floor(i / SIDE), i % SIDE] as const)
  const smooth = points.map(([y, x]) => 280 + 20 * Math.sin(y / 90) * Math.cos(x / 70))
  const noise = (i: number) => ((i * 2654435761) % 4096) / 4096
  return [
    { name: 'smooth float32', numbers: Float32Array.from(smooth) },
    {
      name: 'noisy float32',
      numbers: Float32Array.from(smooth, (value, i) => value + noise(i)),
    },
    {
      name: 'packed int16',
      numbers: Int16Array.from(smooth, (value, i) => value * 50 + 4 * noise(i)),
    },
    {
      name: 'classes uint8',
      numbers: Uint8Array.from(points, ([y, x]) => ((y >> 4) * 7 + (x >> 4) * 3) % 9),
    },
  ]
}
