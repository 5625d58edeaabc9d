import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import { CORPUS, CORPUS_ABSENT, list, member, object } from '../../corpus/golden.ts'
import { readOwn } from '../../corpus/read-own.ts'
import { servedCorpus } from '../../corpus/served-corpus.ts'
import { assertProblem, consolidatedDocuments, get, getDocument } from '../../corpus/store-client.ts'
import { hashOf, type Values, withOneNaN } from '../../corpus/values.ts'

const PROFILES = ['', ';codecs=native', ';codecs=raw']
const NANOSECONDS = 1_000_000_000n

/** Coordinates that are right to 1e-9 degrees, or where cfgrib's are wrong: see docs/formats/grib.md and places.test.ts. */
const OTHER_PLACES =
  /^(CMC|MANAL|complex_packing|cosmo|ds\.|gen_|lambert|mercator|polar|problem|radar|reduced|regular_gg|sref|template_4_48|ineg)/

describe('every GRIB file of the corpus is served as cfgrib shows it', { skip: CORPUS_ABSENT }, () => {
  const corpus = servedCorpus()
  const url = (name: string, options = '') => corpus.storeUrl(`grib/${name}`, options)
  const golden = CORPUS_ABSENT ? {} : readGolden()

  for (const [name, file] of Object.entries(golden)) {
    const datasets = list(member(file, 'cfgrib'))
    if (name === 'blend.t17z.master.f001.co.grib2.head') {
      test(`${name}: a message that is cut off is refused`, async () => {
        assertProblem(await get(`${url(name)}zarr.json`), [422], name)
      })
    } else if (datasets.length > 0) {
      for (const options of name.startsWith('gen_') ? PROFILES : ['']) {
        test(`TEST-1 ${name} ${options}: ${datasets.length} datasets`, () =>
          checkFile(name, datasets, url(name, options)))
      }
    }
  }

  test('a file whose grid only its centre knows is a list of values', async () => {
    const [message] = list(member(golden['ncepPredefinedGds.grib1'], 'messages'))
    const store = url('ncepPredefinedGds.grib1')
    const [path, document] = onlyData(consolidatedDocuments(await getDocument(store, '')))
    assert.equal(hashOf(withOneNaN(await readOwn(store, path, document))), member(message, 'sha256_f32'))
  })
})

function readGolden(): JsonObject {
  const text = readFileSync(new URL('grib/golden.json', CORPUS), 'utf8')
  return object(member(parseJson(text, { lenient: true }), 'files'))
}

function onlyData(documents: ReadonlyMap<string, JsonObject>): [string, JsonObject] {
  const found = [...documents].find(([, document]) => document['data_type'] === 'float32')
  assert.ok(found)
  return found
}

async function checkFile(name: string, datasets: readonly Json[], store: string): Promise<void> {
  const documents = consolidatedDocuments(await getDocument(store, ''))
  for (const dataset of datasets.map(object)) {
    const group = groupOf(dataset, documents)
    assert.notEqual(group, undefined, `${name}: no group holds ${Object.keys(dataset).join(' ')}`)
    for (const [variable, golden] of Object.entries(dataset)) {
      const path = group === '' ? variable : `${group}/${variable}`
      await checkVariable(`${name} ${variable}`, golden, store, path, documents.get(path))
    }
  }
}

/** The group where all of a dataset's arrays are, in its shapes. */
function groupOf(dataset: JsonObject, documents: ReadonlyMap<string, JsonObject>): string | undefined {
  const groups = [...documents].filter(([, { node_type: type }]) => type === 'group').map(([path]) => path)
  return groups.find((group) =>
    Object.entries(dataset).every(([variable, golden]) => {
      const shape = documents.get(group === '' ? variable : `${group}/${variable}`)?.['shape']
      return JSON.stringify(shape) === JSON.stringify(member(golden, 'shape'))
    }),
  )
}

async function checkVariable(
  what: string,
  golden: Json,
  store: string,
  path: string,
  document: JsonObject | undefined,
): Promise<void> {
  assert.ok(document, `${what}: is not served`)
  assert.deepEqual(document['dimension_names'], member(golden, 'dims'), `${what}: dimensions`)
  const isPlace = path.endsWith('latitude') || path.endsWith('longitude')
  if (isPlace && OTHER_PLACES.test(what)) return
  const values = await readOwn(store, path, document)
  const type = String(member(golden, 'dtype'))
  if (member(golden, 'data') === true) {
    assert.equal(hashOf(withOneNaN(values)), member(golden, 'sha256_f32'), `${what}: values`)
    assert.equal(document['fill_value'], 'NaN', `FV-GRIB-2 ${what}`)
    assert.equal(member(document['attributes'], '_FillValue'), 'AAAAAAAA+H8=', `FV-GRIB-2 ${what}`)
  } else if (type.startsWith('datetime'))
    assert.equal(hashOf(nanoseconds(values, NANOSECONDS)), member(golden, 'sha256_int64'), what)
  else if (type.startsWith('timedelta')) assert.equal(hashOf(hours(values)), member(golden, 'sha256_int64'), what)
  else assert.equal(hashOf(values), member(golden, 'sha256'), `${what}: values`)
}

function nanoseconds(values: Values, unit: bigint): Values {
  assert.ok(values.kind === 'fixed')
  const seconds = new BigInt64Array(new Uint8Array(values.bytes).buffer)
  return { kind: 'fixed', bytes: new Uint8Array(seconds.map((count) => count * unit).buffer) }
}

function hours(values: Values): Values {
  assert.ok(values.kind === 'fixed')
  const counts = new Float64Array(new Uint8Array(values.bytes).buffer)
  const nanos = BigInt64Array.from(counts, (count) => BigInt(Math.round(count * 3600)) * NANOSECONDS)
  return { kind: 'fixed', bytes: new Uint8Array(nanos.buffer) }
}
