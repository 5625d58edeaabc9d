import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Elements } from '../src/codecs/codec.ts'
import { chunkMemory } from '../src/codecs/kernels/chunk-memory.ts'
import { decode } from '../src/codecs/pipeline.ts'
import { prepareEncoding } from '../src/codecs/prepare.ts'
import { type DataType, itemSize, zeroOf } from '../src/model/data-type.ts'
import type { Encoding } from '../src/model/encoding.ts'
import { elementCount } from '../src/model/shape.ts'

/** A chunk that `peers/decoders.py` wrote, and the hash of what it decodes to. */
interface WrittenChunk {
  readonly name: string
  readonly codecs: Encoding
  readonly shape: readonly number[]
  readonly dataType: DataType
  readonly sha256: string
}

/** Decoded MB in a second of processor time, and whether the values are those of the peers. */
export interface DecodedRate {
  readonly rate: number
  readonly isEqual: boolean
}

const SECONDS = 0.3
const LIMIT = 2 ** 26

async function ratesOf(folder: string): Promise<Record<string, DecodedRate>> {
  const rates: Record<string, DecodedRate> = {}
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const chunk = JSON.parse(readFileSync(join(folder, file), 'utf8')) as WrittenChunk
    rates[chunk.name] = await rateOf(chunk, readFileSync(join(folder, file.replace('.json', '.bin'))))
  }
  return rates
}

/** Decodes a chunk as often as the time allows, after as long a warm-up. */
async function rateOf({ codecs, shape, dataType, sha256 }: WrittenChunk, stored: Uint8Array): Promise<DecodedRate> {
  const pipeline = prepareEncoding(codecs, { shape, dataType })
  // As a thread does it, chunk after chunk.
  const work = async () => {
    chunkMemory.begin()
    const elements = await decode(pipeline, stored, { limit: LIMIT, fillValue: zeroOf(dataType) })
    chunkMemory.end(true)
    return elements
  }
  const decoded = createHash('sha256')
    .update(bytesOf(await work()))
    .digest('hex')
  await runsOf(work)
  const perSecond = await runsOf(work)
  const size = elementCount(shape) * (itemSize(dataType) ?? 0)
  return { rate: (perSecond * size) / 1e6, isEqual: decoded === sha256 }
}

function bytesOf(elements: Elements): Uint8Array {
  if (elements.kind === 'fixed') return elements.bytes
  throw new TypeError('a chunk of numbers decodes to texts')
}

/** Runs in a second of processor time. */
async function runsOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  for (let runs = 1; ; runs++) {
    await work()
    const { user, system } = process.cpuUsage(start)
    const seconds = (user + system) / 1e6
    if (seconds >= SECONDS) return runs / seconds
  }
}

process.on('message', ({ folder }: { readonly folder: string }) => {
  ratesOf(folder).then(
    (rates) => process.send?.(rates),
    (error: unknown) => process.send?.({ error: { rate: 0, isEqual: false, message: String(error) } }),
  )
})
process.send?.({ url: '' })
