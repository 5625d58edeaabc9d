import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Elements } from '../src/codecs/codec.ts'
import { decode } from '../src/codecs/pipeline.ts'
import { prepareEncoding } from '../src/codecs/prepare.ts'
import { type DataType, zeroOf } from '../src/model/data-type.ts'
import type { Encoding } from '../src/model/encoding.ts'

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
  const work = async () => await decode(pipeline, stored, { limit: LIMIT, fillValue: zeroOf(dataType) })
  const bytes = bytesOf(await work())
  await runsOf(work)
  const perSecond = await runsOf(work)
  const isEqual = createHash('sha256').update(bytes).digest('hex') === sha256
  return { rate: (perSecond * bytes.length) / 1e6, isEqual }
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
