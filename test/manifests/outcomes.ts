import { createHash } from 'node:crypto'
import { partsOf } from '../../src/bytes/feed.ts'
import type { RecodeWorkers } from '../../src/delivery/delivery.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import { parseJson } from '../../src/json/parse.ts'
import type { ManifestStore } from '../../src/manifests/manifests.ts'
import { Keeper } from '../../src/service/kept/keeper.ts'
import { addressOfUrl, type StoreAddress } from '../../src/service/store-address.ts'
import { type StoreService, storeService } from '../../src/service/store-service.ts'
import type { Sources } from '../../src/source/source.ts'
import { object } from '../corpus/golden.ts'
import { chunkKeys } from '../helpers/chunk-keys.ts'

/** What a service answers, key by key: bytes by their digest, errors by all that a client is told. */
export type Outcomes = ReadonlyMap<string, string>

const PARSE = { bytes: 2 ** 28, requests: 20_000, milliseconds: 60_000, wholeBytes: 2 ** 26 }

/** A service as each process has its own. */
export function serviceOf(
  sources: Sources,
  workers: RecodeWorkers,
  manifests?: ManifestStore,
  freshSeconds = 600,
): StoreService {
  const keeper = manifests && new Keeper({ manifests, sources, limits: PARSE, freshSeconds })
  return storeService(sources, workers, { cacheBytes: 2 ** 28, freshSeconds, parse: PARSE, keeper })
}

/** The answers of a store: the root first, then a chunk of each array before the other documents, so that none of them needs another. */
export async function outcomesOf(
  service: StoreService,
  url: string,
  options: Readonly<Record<string, string>>,
  mostChunks: number,
): Promise<Outcomes> {
  const address = addressOfUrl(url, new Map(Object.entries(options)))
  const outcomes = new Map<string, string>()
  const root = await answerOf(service, address, 'zarr.json')
  outcomes.set('zarr.json', root.text)
  if (root.bytes === undefined) return outcomes
  const document = object(parseJson(root.bytes.toString()))
  const keys = chunkKeys(document, mostChunks)
  const paths = new Set(keys.map((key) => key.replace(/(?:^|\/)c(?:\/\d+)*$/, '')).filter((path) => path !== ''))
  for (const key of keys) outcomes.set(key, (await answerOf(service, address, key)).text)
  for (const path of paths) outcomes.set(path, (await answerOf(service, address, `${path}/zarr.json`)).text)
  return outcomes
}

interface Told {
  readonly text: string
  readonly bytes?: Buffer
}

async function answerOf(service: StoreService, address: StoreAddress, key: string): Promise<Told> {
  try {
    const answer = await service.get({ address, key: decodeURIComponent(key) })
    if (answer.kind === 'document') return told(answer.content.etag, answer.content.bytes)
    if (answer.kind !== 'chunk' || answer.body === undefined) return { text: answer.kind }
    return told(
      answer.etag ?? '',
      answer.body instanceof Uint8Array ? answer.body : await bytesOf(partsOf(answer.body)),
    )
  } catch (error) {
    if (!isVirtualZarrError(error)) throw error
    return { text: `${error.code}: ${error.message} ${JSON.stringify(error.context)}` }
  }
}

async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

function told(etag: string, bytes: Uint8Array): Told {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { text: `${etag} ${bytes.length} bytes ${hash}`, bytes: Buffer.from(bytes) }
}
