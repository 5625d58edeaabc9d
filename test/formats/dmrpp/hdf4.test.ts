import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CORPUS, CORPUS_ABSENT } from '../../corpus/golden.ts'
import { consolidatedDocuments } from '../../corpus/store-client.ts'
import { filesBelow, type TestStores, testStores } from '../../helpers/test-stores.ts'

/** HDF4 files of the corpus whose sidecars are of this version of them, and arrays of both. */
const FILES: Readonly<Record<string, number>> = {
  'SDS_chunk_extra_area.hdf': 1,
  'SDS_chunk_extra_area_comp.hdf': 1,
  'SDS_fillchunk_comp.hdf': 1,
  'SDS_simple_comp.hdf': 1,
  'SDS_unlimited_2.hdf': 2,
}

describe('sidecars of HDF4 files say what the files themselves say', { skip: CORPUS_ABSENT }, () => {
  let stores: TestStores
  before(() => {
    stores = testStores(filesBelow(CORPUS))
  })
  after(() => stores.close())

  for (const [name, count] of Object.entries(FILES)) {
    test(name, async () => {
      const url = new URL(`dmrpp/${name}`, CORPUS).href
      const [file, sidecar] = [stores.open(url), stores.open(`${url}.dmrpp`)]
      const documents = [...consolidatedDocuments(await sidecar.document(''))]
      const paths = documents.filter(([, { node_type: type }]) => type === 'array').map(([path]) => path)
      assert.equal(paths.length, count)
      for (const path of paths) {
        const [one, other] = await Promise.all([file.document(path), sidecar.document(path)])
        assert.deepEqual([one['data_type'], one['shape']], [other['data_type'], other['shape']], path)
        assert.deepEqual(await file.values(path), await sidecar.values(path), path)
      }
    })
  }
})
