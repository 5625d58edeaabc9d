import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Elements } from '../../../src/codecs/codec.ts'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { filledElements } from '../../../src/codecs/elements.ts'
import { recodeWorkers } from '../../../src/delivery/workers.ts'
import type { JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import { itemSize } from '../../../src/model/data-type.ts'
import { addressOfUrl } from '../../../src/service/store-address.ts'
import { type StoreService, storeService } from '../../../src/service/store-service.ts'
import { streamOfFeed } from '../../../src/source/feed.ts'
import { openSources } from '../../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../../src/source/settings.ts'
import { object } from '../../corpus/golden.ts'
import { coordinates, runs } from '../../corpus/values.ts'

/** The whole pipeline in this process, over the files of one folder. */
export interface TestStores {
  open(name: string, options?: Readonly<Record<string, string>>): TestStore
  close(): Promise<void>
}

/** One store: its documents, and its arrays as bytes (C order, little-endian). */
export interface TestStore {
  document(path: string): Promise<JsonObject>
  chunk(path: string, coords: readonly number[]): Promise<Uint8Array | undefined>
  array(path: string): Promise<Uint8Array>
  describe: () => ReturnType<StoreService['describe']>
}

/** Opens the folder; values are as a client of `codecs` decodes them. */
export function testStores(folder: URL): TestStores {
  const sources = openSources({ ...DEFAULT_SOURCE_SETTINGS, fileRoots: [fileURLToPath(folder)] })
  const workers = recodeWorkers({ threads: 2 })
  const parse = { bytes: 2 ** 26, requests: 20_000, milliseconds: 20_000, wholeBytes: 2 ** 26 }
  const service = storeService(sources, workers, { cacheBytes: 2 ** 28, freshSeconds: 600, parse })
  return {
    open: (name, options = {}) => testStore(service, new URL(encodeURIComponent(name), folder), options),
    async close() {
      await workers.close()
      await sources.close()
    },
  }
}

function testStore(service: StoreService, url: URL, options: Readonly<Record<string, string>>): TestStore {
  const address = addressOfUrl(pathToFileURL(fileURLToPath(url)).href, new Map(Object.entries(options)))
  const get = (key: string) => service.get({ address, key })
  const prefix = (path: string) => (path === '' ? '' : `${path}/`)
  const store: TestStore = {
    describe: () => service.describe(address),
    async document(path) {
      const answer = await get(`${prefix(path)}zarr.json`)
      if (answer.kind !== 'document') throw new Error(`${path} has no document`)
      return object(parseJson(Buffer.from(answer.content.bytes).toString()))
    },
    async chunk(path, coords) {
      const answer = await get(`${prefix(path)}c${coords.map((at) => `/${at}`).join('')}`)
      if (answer.kind === 'absent') return undefined
      if (answer.kind !== 'chunk' || answer.body === undefined) throw new Error(`${path} ${coords}: ${answer.kind}`)
      if (answer.body instanceof Uint8Array) return answer.body
      const parts: Uint8Array[] = []
      for await (const part of 'stop' in answer.body ? streamOfFeed(answer.body) : answer.body) parts.push(part)
      return Buffer.concat(parts)
    },
    async array(path) {
      const { store: opened } = await service.describe(address)
      const node = opened.nodes.get(path)
      if (node?.kind !== 'array') throw new Error(`${path} is no array`)
      const { shape, chunkShape, dataType, fillValue, chunks } = node.array
      const whole = filledElements({ shape, dataType }, fillValue)
      if (whole.kind !== 'fixed') throw new Error(`${path} is no array of numbers`)
      const size = itemSize(dataType) ?? 1
      for (const coords of coordinates(chunks.gridShape)) {
        const bytes = await store.chunk(path, coords)
        if (bytes === undefined) continue
        const chunk: Elements = await decodeChunk(
          bytes,
          node.plan.codecs,
          { shape: chunkShape, dataType },
          { limit: 2 ** 29 },
        )
        if (chunk.kind !== 'fixed') throw new Error(`${path} ${coords}: not numbers`)
        for (const { from, to, count } of runs(shape, chunkShape, coords)) {
          whole.bytes.set(chunk.bytes.subarray(from * size, (from + count) * size), to * size)
        }
      }
      return whole.bytes
    },
  }
  return store
}
