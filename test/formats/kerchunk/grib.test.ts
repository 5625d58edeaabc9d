import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { filesBelow, type TestStores, testStores } from '../../helpers/test-stores.ts'

const FOLDER = new URL('../../fixtures/kerchunk/grib/', import.meta.url)

interface Golden {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly sha256?: string
  /** Every twentieth one, instead. */
  readonly values?: readonly number[]
}
const golden: Readonly<Record<string, Readonly<Record<string, Golden>>>> = JSON.parse(
  readFileSync(new URL('golden.json', FOLDER), 'utf8'),
)
/** Degrees by which places of points on a map may differ: ecCodes computes them another way. */
const EXACT = 1e-9

describe('references to GRIB messages as kerchunk writes them are read as its own codec reads them', () => {
  let stores: TestStores
  before(() => {
    stores = testStores(filesBelow(FOLDER))
  })
  after(() => stores.close())

  for (const [name, arrays] of Object.entries(golden)) {
    test(name, async () => {
      const store = stores.open(new URL(name, FOLDER).href)
      for (const [path, { dtype, shape, sha256, values: some }] of Object.entries(arrays)) {
        const document = await store.document(path)
        assert.deepEqual([document['data_type'], document['shape']], [dtype, shape], path)
        const read = await store.values(path)
        assert.ok(read.kind === 'fixed')
        if (some !== undefined) checkPlaces(new Float64Array(new Uint8Array(read.bytes).buffer), some, path)
        else assert.equal(createHash('sha256').update(canonical(read.bytes, dtype)).digest('hex'), sha256, path)
      }
    })
  }

  test('in native the messages pass as they are, and are exported so', async () => {
    const store = stores.open(new URL('message-4.json', FOLDER).href, { codecs: 'native' })
    const file = readFileSync(new URL('weather.grib2', FOLDER))
    const codecs = JSON.stringify((await store.document('tp'))['codecs'])
    assert.equal(codecs, '[{"name":"numcodecs.grib","configuration":{"var":"tp","dtype":"float64"}}]')
    const chunk = Buffer.from((await store.chunk('tp', [0, 0])) ?? [])
    assert.equal(chunk.subarray(0, 4).toString(), 'GRIB')
    assert.ok(file.includes(chunk))
  })
})

/** NaN of one kind, as the golden file has it. */
function canonical(bytes: Uint8Array, dtype: string): Uint8Array {
  if (dtype !== 'float64') return bytes
  const numbers = new Float64Array(new Uint8Array(bytes).buffer)
  return new Uint8Array(numbers.map((value) => (Number.isNaN(value) ? Number.NaN : value)).buffer)
}

function checkPlaces(places: Float64Array, golden: readonly number[], path: string): void {
  golden.forEach((degrees, at) => {
    assert.ok(
      Math.abs((places[at * 20] ?? 0) - degrees) < EXACT,
      `${path}: ${places[at * 20]} at ${at}, not ${degrees}`,
    )
  })
}
