import { fileURLToPath } from 'node:url'
import { partsOf } from '../../src/bytes/feed.ts'
import { decodeChunk } from '../../src/codecs/decode.ts'
import { copyBox, filledElements } from '../../src/codecs/elements.ts'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import type { JsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { folderPlace } from '../../src/manifests/folder.ts'
import { ManifestStore, Outcomes } from '../../src/manifests/manifests.ts'
import { gridShapeOf } from '../../src/model/chunk-index.ts'
import { itemSize } from '../../src/model/data-type.ts'
import { Keeper } from '../../src/service/kept/keeper.ts'
import { addressOfUrl } from '../../src/service/store-address.ts'
import { type StoreService, storeService } from '../../src/service/store-service.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from '../../src/source/settings.ts'
import { object } from '../corpus/golden.ts'
import { coordinates, type Values } from '../corpus/values.ts'

/** The whole pipeline in this process. */
export interface TestStores {
  open(url: string, options?: Readonly<Record<string, string>>): TestStore
  readonly statistics: StoreService['statistics']
  close(): Promise<void>
}

export interface TestStore {
  describe: () => ReturnType<StoreService['describe']>
  document(path: string): Promise<JsonObject>
  /** Bytes on the wire; undefined for a chunk that was never written. */
  chunk(path: string, coords: readonly number[]): Promise<Uint8Array | undefined>
  /** All values, as a client of `codecs` decodes them. */
  values(path: string): Promise<Values>
}

/** Settings that let local files of one folder be read. */
export function filesBelow(folder: URL): SourceSettings {
  return { ...DEFAULT_SOURCE_SETTINGS, fileRoots: [fileURLToPath(folder)] }
}

export interface TestLimits {
  readonly milliseconds?: number | undefined
  readonly freshSeconds?: number | undefined
  /** Where opened stores outlive this pipeline. */
  readonly manifestFolder?: string | undefined
}

export function testStores(
  settings: SourceSettings,
  { milliseconds = 20_000, freshSeconds = 600, manifestFolder }: TestLimits = {},
): TestStores {
  const sources = openSources(settings)
  const workers = recodeWorkers({ threads: 1 })
  const parse = { bytes: 2 ** 28, requests: 20_000, milliseconds, wholeBytes: 2 ** 26 }
  const outcomes = new Outcomes()
  const keeper =
    manifestFolder === undefined
      ? undefined
      : new Keeper({
          manifests: new ManifestStore({
            places: [folderPlace({ path: manifestFolder, mostBytes: 2 ** 28, count: outcomes.count })],
            revision: 'test',
            outcomes,
          }),
          sources,
          limits: parse,
          freshSeconds,
        })
  const service = storeService(sources, workers, { cacheBytes: 2 ** 28, freshSeconds, parse, keeper })
  return {
    open: (url, options = {}) => testStore(service, url, options),
    get statistics() {
      return service.statistics
    },
    async close() {
      await service.close()
      await workers.close()
      await sources.close()
    },
  }
}

function testStore(service: StoreService, url: string, options: Readonly<Record<string, string>>): TestStore {
  const address = addressOfUrl(url, new Map(Object.entries(options)))
  const keyOf = (path: string, key: string) => (path === '' ? key : `${path}/${key}`)
  const store: TestStore = {
    describe: () => service.describe(address),
    async document(path) {
      const answer = await service.get({ address, key: keyOf(path, 'zarr.json') })
      if (answer.kind !== 'document') throw new Error(`${path} has no document`)
      return object(parseJson(Buffer.from(answer.content.bytes).toString()))
    },
    async chunk(path, coords) {
      const answer = await service.get({ address, key: keyOf(path, ['c', ...coords].join('/')) })
      if (answer.kind === 'absent') return undefined
      if (answer.kind !== 'chunk' || answer.body === undefined) throw new Error(`${path} ${coords}: ${answer.kind}`)
      if (answer.body instanceof Uint8Array) return answer.body
      const parts: Uint8Array[] = []
      for await (const part of partsOf(answer.body)) parts.push(part)
      return new Uint8Array(Buffer.concat(parts))
    },
    values: (path) => readValues(store, path),
  }
  return store
}

async function readValues(store: TestStore, path: string): Promise<Values> {
  const node = (await store.describe()).store.nodes.get(path)
  if (node?.kind !== 'array') throw new Error(`${path} is no array that is served`)
  const { shape, chunkShape, dataType, fillValue } = node.array
  const whole = filledElements({ shape, dataType }, fillValue)
  for (const coords of coordinates(gridShapeOf(shape, chunkShape))) {
    const bytes = await store.chunk(path, coords)
    if (bytes === undefined) continue
    const layout = { shape: chunkShape, dataType }
    const chunk = await decodeChunk(bytes, node.plan.codecs, layout, { limit: 2 ** 29 })
    const to = coords.map((at, axis) => at * (chunkShape[axis] ?? 1))
    const extent = to.map((at, axis) => Math.min(chunkShape[axis] ?? 1, (shape[axis] ?? 0) - at))
    const from = coords.map(() => 0)
    copyBox(chunk, chunkShape, whole, shape, { from, to, extent }, itemSize(dataType) ?? 0)
  }
  if (whole.kind === 'blobs') throw new Error(`${path} is of byte strings`)
  return whole
}
