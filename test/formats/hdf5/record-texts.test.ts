import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { filesBelow, type TestStores, testStores } from '../../helpers/test-stores.ts'

const FIXTURES = new URL('../../fixtures/hdf5/', import.meta.url)

/** What `make_odd.py` wrote, as h5py 3.16 reads it back (`f[name]["name"].asstr()[()]`). */
const CHUNKED = Array.from({ length: 15 }, (_, i) => i)

describe('text of varying length in records', () => {
  let stores: TestStores
  before(() => {
    stores = testStores(filesBelow(FIXTURES))
  })
  after(() => stores.close())

  const open = (options: Readonly<Record<string, string>> = {}) =>
    stores.open(new URL('record_texts.h5', FIXTURES).href, options)
  const texts = async (path: string, options?: Readonly<Record<string, string>>) => {
    const values = await open(options).values(path)
    assert.ok(values.kind === 'text', path)
    return values.values
  }

  for (const codecs of ['portable', 'raw']) {
    test(`is an array of text beside the other fields, with codecs=${codecs}`, async () => {
      assert.deepEqual(await texts('run/name', { codecs }), ['a', 'zwölf', ''])
      assert.deepEqual(await texts('run/note', { codecs }), ['', 'x', 'long '.repeat(20)])
      assert.deepEqual(
        await texts('chunked/name', { codecs }),
        CHUNKED.map((i) => `name ${i}`),
      )
      assert.deepEqual(
        await texts('chunked/note', { codecs }),
        CHUNKED.map((i) => 'n'.repeat(i)),
      )
      assert.deepEqual(await texts('unwritten/name', { codecs }), ['', '', '', ''])
      assert.deepEqual(await texts('scalar/note', { codecs }), ['only'])
    })
  }

  test('has the dimensions of the other fields', async () => {
    const [name, id] = [await open().document('chunked/name'), await open().document('chunked/id')]
    assert.deepEqual(name['dimension_names'], id['dimension_names'])
    assert.deepEqual(name['shape'], [3, 5])
    assert.equal(name['data_type'], 'string')
  })

  test('is left out of structured types, which is told', async () => {
    const { store } = await open({ codecs: 'native' }).describe()
    const told = store.diagnostics.filter(({ code, path }) => code === 'field-skipped' && path === 'run')
    assert.deepEqual(
      told.map(({ values }) => values),
      [['name', 'note']],
    )
    const portable = (await open().describe()).store
    assert.ok(portable.diagnostics.every(({ code }) => code !== 'field-skipped'))
  })

  test('is cut as the other fields are', async () => {
    assert.deepEqual(await texts('run/name', { select: `${await dimensionOf('run/name')}:1..3` }), ['zwölf', ''])
  })

  async function dimensionOf(path: string): Promise<string> {
    const names = (await open().document(path))['dimension_names']
    assert.ok(Array.isArray(names))
    return String(names[0])
  }
})
