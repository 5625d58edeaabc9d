import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { Float, type Json, type JsonObject } from '../../../src/json/json.ts'
import { list, member } from '../../corpus/golden.ts'
import { hashOf } from '../../corpus/values.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { readWithZarrita } from '../../helpers/read-with-zarrita.ts'
import { filesBelow, type TestStore, type TestStores, testStores } from '../../helpers/test-stores.ts'
import { CORPUS, CORPUS_ABSENT, type GoldenArray, type GoldenFile, readGolden } from './golden.ts'

/** What a malformed file may take (GUARD-6). */
const MOST_MILLISECONDS = 2000
/** The data file beside it is another version than the one it was made of: all positions are 40 bytes off. */
const STALE = 'FletcherShuffle.nc4.dmrpp'
/**
 * Never written, with a fill value that the file says not to fill with: the library leaves zeros in its buffer. A sidecar can
 * only say the fill value.
 */
const NOT_FILLED = [
  'FValue_chunk.h5.dmrpp chunks_all_fill',
  ...['fd', 'int8', 'uint8'].map((type) => `FValue_${type}.h5.dmrpp chunks_fill_not_write`),
]
/** Values in a file that is not in the corpus. */
const ELSEWHERE = ['GeoGrid1/YDim', 'GeoGrid1/XDim', 'GeoGrid2/YDim', 'GeoGrid2/XDim']

describe('the shared corpus of DMR++ files', { skip: CORPUS_ABSENT }, () => {
  let stores: TestStores
  before(() => {
    stores = testStores(filesBelow(CORPUS))
  })
  after(() => stores?.close())

  for (const file of CORPUS_ABSENT ? [] : readGolden()) {
    test(`${file.name}: ${file.expect}`, () => checkFile(stores, file))
  }
})

async function checkFile(stores: TestStores, file: GoldenFile): Promise<void> {
  const url = new URL(file.name, CORPUS).href
  const started = processorMilliseconds()
  const opening = stores.open(url).document('')
  if (file.expect === 'error') {
    await assert.rejects(opening, (error) => isVirtualZarrError(error, 'malformed-source'))
    assert.ok(processorMilliseconds() - started < MOST_MILLISECONDS)
    return
  }
  await opening
  for (const golden of file.arrays) await checkArray(stores, url, file, golden)
}

async function checkArray(stores: TestStores, url: string, file: GoldenFile, golden: GoldenArray): Promise<void> {
  const portable = stores.open(url)
  const node = (await portable.describe()).store.nodes.get(golden.path)
  if (golden.isOptional && node?.kind !== 'array') {
    assert.ok(node !== undefined, `${golden.path} is neither served nor listed`)
    return
  }
  const document = await portable.document(golden.path)
  checkDocument(document, golden)
  const refusal = refusalOf(file, golden)
  if (refusal !== undefined) {
    if (refusal !== '') await assert.rejects(portable.values(golden.path), new RegExp(refusal))
    return
  }
  const values = await portable.values(golden.path)
  const isTold = golden.sha256 !== undefined && !NOT_FILLED.includes(`${file.name} ${golden.path}`)
  if (isTold) assert.equal(hashOf(values), golden.sha256, `${golden.path}: values`)
  if (golden.texts !== undefined) assert.deepEqual(values.kind === 'text' && values.values, golden.texts)
  for (const codecs of ['raw', 'native']) {
    const other = stores.open(url, { codecs })
    if (values.kind === 'fixed') assert.deepEqual(await other.values(golden.path), values, `${golden.path}: ${codecs}`)
  }
  await checkZarrita(portable, golden.path, hashOf(values))
  await checkZarrita(stores.open(url, { codecs: 'native' }), golden.path, hashOf(values))
}

/** What reading the values must be refused with; empty where there may be any. */
function refusalOf(file: GoldenFile, golden: GoldenArray): string | undefined {
  if (file.name === STALE) return golden.path === 'Y' ? 'damaged' : ''
  if (ELSEWHERE.some((path) => golden.path.endsWith(path))) return 'no such file'
  return file.hasData ? undefined : ''
}

async function checkZarrita(store: TestStore, path: string, hash: string): Promise<void> {
  const seen = await readWithZarrita(store, path)
  if (seen !== undefined) assert.equal(hashOf(seen), hash, `${path}: values in zarrita`)
}

function checkDocument(document: JsonObject, golden: GoldenArray): void {
  const { path } = golden
  assert.deepEqual(document['shape'], golden.shape, path)
  const chunkShape = member(member(document['chunk_grid'], 'configuration'), 'chunk_shape')
  if (golden.chunkShape !== undefined) assert.deepEqual(chunkShape, golden.chunkShape, `${path}: chunks`)
  if (golden.dataType !== undefined) assert.equal(document['data_type'], golden.dataType, path)
  if (golden.fillValue !== undefined) {
    assert.deepEqual(plain(document['fill_value']), plain(golden.fillValue), `${path}: fill value`)
  }
  const names = list(document['dimension_names'])
  for (const [axis, name] of (golden.dimensionNames ?? []).entries()) {
    if (name !== null) assert.equal(names[axis], name, `${path}: name of dimension ${axis}`)
  }
  assert.ok(names.length === golden.shape.length && names.every((name) => typeof name === 'string' && name !== ''))
  for (const [name, value] of Object.entries(golden.attributes)) {
    assert.deepEqual(plain(member(document['attributes'], name)), plain(value), `${path}: attribute ${name}`)
  }
}

/** Numbers by value: how a float is spelled is not the oracle's business. */
function plain(json: Json | undefined): unknown {
  if (json instanceof Float) return json.value
  return Array.isArray(json) ? json.map(plain) : json
}
