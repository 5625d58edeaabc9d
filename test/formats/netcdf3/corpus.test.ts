import { test } from 'node:test'
import { checkGolden, readGolden } from './golden.ts'

const FOLDER = new URL('../../../../shared/corpus/netcdf3/', import.meta.url)
const golden = readGolden(FOLDER)

test('the shared corpus of NetCDF-3 files', {
  skip: golden ? false : 'shared/corpus is not beside this project',
}, async (t) => {
  for (const [name, entry] of golden ?? []) {
    await t.test(`${name} parses as the oracle reads it`, () => checkGolden(FOLDER, name, entry))
  }
})
