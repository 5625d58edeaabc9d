import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { parseJson } from '../../../src/json/parse.ts'
import { list, member, object } from '../../corpus/golden.ts'
import { hashOf } from '../../corpus/values.ts'
import { readWithZarrita } from '../../helpers/read-with-zarrita.ts'
import { filesBelow, type TestStores, testStores } from '../../helpers/test-stores.ts'

const FOLDER = new URL('../../fixtures/dmrpp/', import.meta.url)
const golden = object(parseJson(readFileSync(new URL('golden.json', FOLDER), 'utf8')))
/** Their sidecar names the file by a path that isn't there: what remains is its last segment beside it. */
const SPELLED = 'spelled.dmrpp'
/** CL-2: zarrita takes 64-bit fill values beyond 2^53 for doubles. */
const BEYOND_ZARRITA = 'wide'

describe('sidecars of files that h5py wrote, as h5py reads them', () => {
  let stores: TestStores
  before(() => {
    stores = testStores(filesBelow(FOLDER))
  })
  after(() => stores.close())

  for (const [name, arrays] of Object.entries(golden)) {
    for (const [path, array] of Object.entries(object(arrays))) {
      test(`${name} ${path}`, async () => {
        const url = new URL(name, FOLDER).href
        const shape = list(member(array, 'shape'))
        for (const codecs of ['portable', 'raw', 'native']) {
          const store = stores.open(url, { codecs })
          // Text of fixed length is text in `portable` alone; records are arrays of members in all but `native`.
          if (codecs === 'native' && !isSame(await store.describe(), path)) continue
          const document = await store.document(path)
          assert.deepEqual(document['shape'], shape)
          assert.equal(hashOf(await store.values(path)), member(array, 'sha256'), codecs)
          const seen = path === BEYOND_ZARRITA ? undefined : await readWithZarrita(store, path)
          if (seen !== undefined) assert.equal(hashOf(seen), member(array, 'sha256'), `zarrita, ${codecs}`)
        }
      })
    }
  }

  test('a document without a file of its own is served by what its chunks name', async () => {
    const { store } = await stores.open(new URL(SPELLED, FOLDER).href).describe()
    assert.ok(store.nodes.has('contiguous'))
  })
})

type Described = Awaited<ReturnType<ReturnType<TestStores['open']>['describe']>>

function isSame({ store }: Described, path: string): boolean {
  const node = store.nodes.get(path)
  return node?.kind === 'array' && node.array.dataType.kind !== 'fixed-text'
}
