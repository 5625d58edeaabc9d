import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Checked, refusalOf, servedMadeFiles } from './made-files.ts'
import { pythonScript } from './python.ts'

const python = pythonScript('joins_check.py')

describe('joins, through the running service, as xarray concatenates the same files', () => {
  const files = servedMadeFiles('interop-joins-', python)

  test('COMB-2, COMB-3, COMB-4, PACK-6: months, calendars, packing, gaps, runs, rows, mixed formats', async () => {
    const { read, failures } = await python<Checked>('check', files.folder, files.server)
    assert.deepEqual(failures, [])
    assert.ok(read >= 90, `${read} variables were read`)
    console.log(`${read} variables of joins equal`)
  })

  test('COMB-1, COMB-2: exports, read by fsspec and xarray, are what the store is; files of several kinds are refused by name', async () => {
    const { read, failures, refused } = await python<Exported>('exports', files.folder, files.server)
    assert.deepEqual(failures, [])
    assert.equal(read, 16)
    assert.match(
      refused,
      /^422 sst can not be written as references: the (?:codecs|chunks) of .*h\d+\.nc are not those of/,
    )
  })

  test('COMB-1: one file upside down is refused by name', async () => {
    const { status, detail } = await refusalOf(files.storeOf('upside.json'))
    assert.equal(status, 422)
    assert.match(detail, /the values of lat differ between .*gap_0\.nc and .*upside\.nc/)
  })
})

interface Exported extends Checked {
  readonly refused: string
}
