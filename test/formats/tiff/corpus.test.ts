import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { Float, type Json, type JsonObject } from '../../../src/json/json.ts'
import { list, member } from '../../corpus/golden.ts'
import { hashOf } from '../../corpus/values.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { readWithZarrita } from '../../helpers/read-with-zarrita.ts'
import type { TestStore } from '../../helpers/test-stores.ts'
import { CORPUS, CORPUS_ABSENT, type GoldenArray, type GoldenFile, readGolden } from './golden.ts'
import { type FolderStores, numbersOf, storesOf } from './store.ts'

/** What a malformed file may take (GUARD-6), of the processor. */
const MOST_MILLISECONDS = 2000
/** Larger arrays hold nothing, and take their time to be filled with it. */
const MOST_VALUES = 1e8

describe('the shared corpus of TIFF files', { skip: CORPUS_ABSENT }, () => {
  let stores: FolderStores
  before(() => {
    stores = storesOf(CORPUS)
  })
  after(() => stores?.close())

  for (const file of CORPUS_ABSENT ? [] : readGolden()) {
    test(`${file.name}: ${file.expect}`, () => checkFile(stores, file))
  }
})

async function checkFile(stores: FolderStores, file: GoldenFile): Promise<void> {
  const raw = stores.open(file.name, { layout: 'ifd', codecs: 'raw' })
  const started = processorMilliseconds()
  const refused = await errorOf(() => raw.document(''))
  const milliseconds = processorMilliseconds() - started
  assert.ok(file.expect === 'ok' || milliseconds < MOST_MILLISECONDS, `opening takes ${milliseconds} ms`)
  const dataset = await errorOf(() => stores.open(file.name).document(''))
  if (file.expect === 'ok') assert.equal(refused, undefined, `refused: ${refused}`)
  if (file.expect === 'ok') assert.equal(dataset, undefined, `layout=dataset refused: ${dataset}`)
  if (file.expect === 'error') await checkRefused(stores, file)
  if (refused !== undefined || file.expect === 'error') return
  for (const golden of file.arrays) await checkArray(stores, file, golden, raw)
  if (file.expect === 'ok') await checkDataset(stores, file)
}

/** A file that can't be served at all: by its metadata, or, when only its blocks are broken, by every one of them. */
async function checkRefused(stores: FolderStores, file: GoldenFile): Promise<void> {
  for (const layout of ['dataset', 'ifd']) {
    const store = stores.open(file.name, { layout })
    if ((await errorOf(() => store.document(''))) !== undefined) continue
    const path = layout === 'ifd' ? '0' : 'band_data'
    assert.ok((await errorOf(() => store.chunk(path, [0, 0]))) !== undefined, `layout=${layout} is served`)
  }
}

async function checkArray(stores: FolderStores, file: GoldenFile, golden: GoldenArray, raw: TestStore): Promise<void> {
  const skipped = member(member(member(await raw.document(''), 'attributes'), 'virtual_zarr'), 'skipped')
  if (typeof member(skipped, golden.name) === 'string') {
    assert.notEqual(golden.expect, 'ok', `${golden.name} is skipped: ${member(skipped, golden.name)}`)
    return
  }
  const document = await raw.document(golden.name)
  checkDocument(document, golden)
  const { store } = await raw.describe()
  const node = store.nodes.get(golden.name)
  const count = list(document['shape']).reduce((product: number, length) => product * Number(length), 1)
  if (golden.expect === 'metadata-only' || node?.kind !== 'array' || count > MOST_VALUES) return
  let values: Uint8Array
  try {
    values = await numbersOf(raw, golden.name)
  } catch (error) {
    assert.ok(isVirtualZarrError(error), String(error))
    assert.ok(golden.expect !== 'ok', `${golden.name} can't be read: ${error.message}`)
    return
  }
  assert.notEqual(golden.expect, 'chunk-error', `${golden.name}: no chunk is an error`)
  checkValues(values, golden, 'raw')
  // A file of thousands of pages shows nothing more in other profiles.
  if (file.arrays.length > 20) return
  for (const codecs of ['portable', 'native']) {
    const store = stores.open(file.name, { layout: 'ifd', codecs })
    assert.deepEqual(await numbersOf(store, golden.name), values, `${golden.name}: values in ${codecs}`)
  }
  const portable = stores.open(file.name, { layout: 'ifd' })
  const seen = await readWithZarrita(portable, golden.name)
  if (seen !== undefined) assert.deepEqual(seen, { kind: 'fixed', bytes: values }, `${golden.name}: values in zarrita`)
}

function checkDocument(document: JsonObject, golden: GoldenArray): void {
  if (golden.shape !== undefined) assert.deepEqual(document['shape'], golden.shape)
  const type = document['data_type'] ?? null
  if (golden.dataTypes.length > 0) assert.ok(golden.dataTypes.includes(type), `data type ${String(type)}`)
  if (golden.dimensionNames.length > 0) assert.deepEqual(document['dimension_names'], golden.dimensionNames)
  if (golden.fillValue === undefined || golden.fillValue === null) return
  assert.deepEqual(plain(document['fill_value']), plain(golden.fillValue), 'fill value')
  for (const [name, value] of Object.entries(golden.attributes)) {
    assert.deepEqual(plain(member(document['attributes'], name)), plain(value), `attribute ${name}`)
  }
  for (const name of golden.absent) {
    assert.equal(member(document['attributes'], name), undefined, `attribute ${name} must be absent`)
  }
}

/** Numbers by value: how a float is spelled is not the oracle's business. */
function plain(json: Json | undefined): unknown {
  if (json instanceof Float) return json.value
  if (typeof json === 'bigint') return Number(json)
  return Array.isArray(json) ? json.map(plain) : json
}

function checkValues(values: Uint8Array, golden: GoldenArray, what: string): void {
  if (golden.sha256 !== undefined) assert.equal(hashOf({ kind: 'fixed', bytes: values }), golden.sha256, what)
}

/** Every image is somewhere in the dataset, the first one at its root. */
async function checkDataset(stores: FolderStores, file: GoldenFile): Promise<void> {
  const store = stores.open(file.name)
  const { nodes } = (await store.describe()).store
  const hashes = new Map<string, string>()
  const wanted = file.arrays.filter(({ sha256 }) => sha256 !== undefined)
  if (wanted.length === 0) return
  for (const [path, node] of nodes) {
    if (node.kind !== 'array' || !path.endsWith('band_data') || hashes.size > 40) continue
    if (node.array.shape.reduce((product, length) => product * length, 1) > MOST_VALUES) continue
    hashes.set(path, hashOf({ kind: 'fixed', bytes: await numbersOf(store, path) }))
  }
  // PACK-7: bands of different scales are arrays of their own; one after the other they are the image.
  const bands = [...nodes.keys()].filter((path) => /(?:^|\/)band_\d+$/.test(path))
  for (const [group, paths] of Map.groupBy(bands, (path) => path.replace(/band_\d+$/, ''))) {
    const bytes = Buffer.concat(await Promise.all(paths.map((path) => numbersOf(store, path))))
    hashes.set(`${group}band_data`, hashOf({ kind: 'fixed', bytes }))
  }
  for (const { name, sha256, expect } of wanted) {
    if (expect !== 'ok') continue
    if (name === '0') assert.equal(hashes.get('band_data'), sha256, 'band_data at the root')
    assert.ok([...hashes.values()].includes(sha256 ?? ''), `directory ${name} is in no group of the dataset`)
  }
  for (const hash of file.subHashes) assert.ok([...hashes.values()].includes(hash), 'an image of a SubIFD is missing')
}

async function errorOf(action: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    assert.ok(isVirtualZarrError(error), `no typed error: ${String(error)}`)
    return `${error.code} ${error.message}`
  }
}
