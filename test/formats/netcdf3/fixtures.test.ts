import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkGolden, readGolden } from './golden.ts'

const FOLDER = new URL('../../fixtures/netcdf3/', import.meta.url)
const golden = readGolden(FOLDER)

test('the fixtures are there', () => {
  assert.equal(golden?.size, 5)
})

for (const [name, entry] of golden ?? []) {
  test(`${name} parses as the netCDF library reads it`, () => checkGolden(FOLDER, name, entry))
}
