import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fromCfFillValue } from '../../../src/fill-value/to-cf.ts'
import { Float, type Json, type JsonObject } from '../../../src/json/json.ts'
import { CORPUS_ABSENT, type GoldenArray, type GoldenFile, list, member, readGolden } from '../../corpus/golden.ts'
import { zarritaLimit } from '../../corpus/read-zarrita.ts'
import { servedCorpus } from '../../corpus/served-corpus.ts'
import { ServedStore } from '../../corpus/served-store.ts'
import { assertInTime, assertProblem, consolidatedDocuments, get, parseReply } from '../../corpus/store-client.ts'
import { hashOf, type Values } from '../../corpus/values.ts'
import { dataTypeOf } from '../../helpers/data-type.ts'

const PROFILES = ['', ';codecs=native', ';codecs=raw']

describe('every FITS file of the corpus is served as astropy reads it', { skip: CORPUS_ABSENT }, () => {
  const corpus = servedCorpus()

  for (const file of CORPUS_ABSENT ? [] : readGolden('fits')) {
    const url = (options: string) => corpus.storeUrl(`fits/${file.name}`, options)
    if (file.expect === 'error') test(`${file.name} is refused, or its data are`, () => checkRefused(url('')))
    else test(`${file.name}: ${file.arrays.length} arrays, in every profile`, () => checkFile(file, url))
  }
})

async function checkFile(file: GoldenFile, url: (options: string) => string): Promise<void> {
  for (const options of PROFILES) {
    const store = await ServedStore.open(url(options))
    const { documents } = store
    for (const golden of file.arrays) {
      const path = servedPath(golden.path, documents)
      const what = `${file.name} ${golden.path} (${path}) ${options}`
      if (golden.sha256 === undefined) {
        assert.ok(documents.has(path) || isSkipped(documents, path), `${what}: is dropped in silence`)
        continue
      }
      const document = documents.get(path)
      assert.ok(document, `${what}: is not served`)
      checkDocument(document, golden, what)
      await checkValues(document, golden, store, path, what)
    }
  }
}

/** The golden files name arrays by the HDU's index, and columns below it. */
function servedPath(golden: string, documents: ReadonlyMap<string, JsonObject>): string {
  const [hdu = '', ...column] = golden.split('/')
  for (const [path, document] of documents) {
    if (path !== '' && !path.includes('/') && member(document['attributes'], 'hdu') === Number(hdu)) {
      return [path, ...column].join('/')
    }
  }
  return golden
}

function isSkipped(documents: ReadonlyMap<string, JsonObject>, path: string): boolean {
  const skipped = member(member(documents.get('')?.['attributes'], 'virtual_zarr'), 'skipped')
  return member(skipped, path) !== undefined
}

function checkDocument(document: JsonObject, golden: GoldenArray, what: string): void {
  assert.deepEqual(document['shape'], golden.shape, `${what}: shape`)
  const isImage = golden.fillValue !== undefined
  if (isImage) assert.equal(document['data_type'], golden.dataType, `${what}: data type`)
  if (isImage) assert.deepEqual(document['fill_value'], fill(golden), `${what}: fill value`)
  const served = document['attributes']
  for (const [name, value] of Object.entries(golden.attributes)) {
    if (name === '_FillValue') continue
    assert.deepEqual(bare(member(served, name)), bare(value), `${what}: attribute ${name}`)
  }
  const sentinel = member(served, '_FillValue')
  const expected = golden.attributes['_FillValue']
  if (!isImage) return
  const type = dataTypeOf(golden.dataType)
  const decoded = sentinel === undefined ? undefined : fromCfFillValue(sentinel, type)?.value
  assert.equal(
    decoded === undefined ? undefined : Number(decoded),
    expected === undefined ? undefined : Number(expected),
    what,
  )
}

function fill({ fillValue, dataType }: GoldenArray): Json | undefined {
  const isFloat = String(dataType).startsWith('float')
  return isFloat && fillValue === 0 ? new Float(0) : fillValue
}

function bare(json: Json | undefined): unknown {
  if (json instanceof Float) return json.value
  return typeof json === 'bigint' ? Number(json) : json
}

async function checkValues(
  document: JsonObject,
  golden: GoldenArray,
  store: ServedStore,
  path: string,
  what: string,
): Promise<void> {
  const values = await store.readOwn(path)
  assert.ok(
    [0, 0x20].map((filler) => hashOf(asStored(values, golden, filler))).includes(golden.sha256 ?? ''),
    `${what}: values`,
  )
  if (zarritaLimit(document) !== undefined) return
  const array = await store.readZarrita(path)
  assert.equal(hashOf(array.values), hashOf(values), `${what}: values in zarrita`)
}

/** Logical values are letters in the golden files, and text is filled up as in the file: with NULs or with blanks. */
function asStored(values: Values, golden: GoldenArray, filler: number): Values {
  if (golden.dataType === 'int8' && values.kind === 'fixed') {
    return { kind: 'fixed', bytes: values.bytes.map((truth) => (truth === 1 ? 'T' : 'F').charCodeAt(0)) }
  }
  const length = Number(member(member(golden.dataType, 'configuration'), 'length_bytes'))
  if (values.kind === 'text') {
    const fields = values.values.map((text) => Buffer.alloc(length, filler).fill(text, 0, text.length, 'latin1'))
    return { kind: 'fixed', bytes: Buffer.concat(fields) }
  }
  const isText = Number.isFinite(length)
  return isText ? { kind: 'fixed', bytes: values.bytes.map((byte) => (byte === 0 ? filler : byte)) } : values
}

/** A file whose data are cut off: what is there of its header is served, and no chunk of it. */
async function checkRefused(url: string): Promise<void> {
  const reply = await get(`${url}zarr.json`)
  assertInTime(reply, url)
  if (reply.status !== 200) {
    assertProblem(reply, [400, 413, 415, 422], url)
    return
  }
  const arrays = [...consolidatedDocuments(parseReply(reply))].filter(([, { node_type: type }]) => type === 'array')
  assert.ok(arrays.length > 0)
  for (const [path, document] of arrays) {
    const zeros = list(document['shape']).map(() => 0)
    assertProblem(await get(`${url}${path}/c/${zeros.join('/')}`), [422, 502], path)
  }
}
