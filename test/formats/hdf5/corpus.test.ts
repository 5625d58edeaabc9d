import { test } from 'node:test'
import { checkFile, readGolden } from './golden.ts'

const FOLDER = new URL('../../../../shared/corpus/hdf5/', import.meta.url)
const golden = readGolden(FOLDER)

test('the shared corpus of HDF5 files', {
  skip: golden ? false : 'shared/corpus is not beside this project',
}, async (t) => {
  for (const [name, entry] of golden ?? []) {
    await t.test(`${name} parses as the oracle reads it`, () => checkFile(FOLDER, name, entry))
  }
})
