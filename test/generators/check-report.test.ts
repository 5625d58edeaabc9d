import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatReport, reportFailures } from './check-report.ts'
import { ElementCounts, type GeneratorReport } from './generator.ts'

const DIFFERENCE = { index: 7, what: 'value at 0,3', document: '<VRT/>', reference: '255', ours: '3' }
const CLEAN: GeneratorReport = { documents: 2000, counts: { NODATA: 20, LUT: 31 }, differences: [], announced: [] }

test('a run passes whose elements each occur often enough and whose values are equal', () => {
  assert.deepEqual(reportFailures(CLEAN), [])
})

test('a silent difference fails a run, an announced one does not', () => {
  assert.deepEqual(reportFailures({ ...CLEAN, differences: [DIFFERENCE] }), ['1 silent differences'])
  assert.deepEqual(reportFailures({ ...CLEAN, announced: [{ ...DIFFERENCE, reason: 'LUT is ignored' }] }), [])
})

test('an element that occurs fewer than 20 times in 2,000 documents fails a run, and so does an empty one', () => {
  const rare = reportFailures({ ...CLEAN, counts: { NODATA: 19, LUT: 20 } })
  assert.deepEqual(rare, ['NODATA occurs 19 times in 2000 documents; at least 20 are expected'])
  assert.deepEqual(reportFailures({ ...CLEAN, documents: 500, counts: { NODATA: 4, LUT: 5 } }), [
    'NODATA occurs 4 times in 500 documents; at least 5 are expected',
  ])
  assert.equal(reportFailures({ documents: 0, counts: {}, differences: [], announced: [] }).length, 2)
})

test('the report lists counts, silent differences with seed and document, announced ones by reason', () => {
  const announced = [1, 2, 3, 4].map((index) => ({ ...DIFFERENCE, index, reason: 'LUT is ignored' }))
  const text = formatReport('vrt', 42, { ...CLEAN, differences: [DIFFERENCE], announced })
  assert.match(text, /^vrt, seed 42: 2000 documents\n {2}NODATA {2}20\n {2}LUT {5}31\n/)
  assert.match(text, /4 x LUT is ignored \(document 1, 2, 3, …\)/)
  assert.match(text, /document 7 of seed 42, value at 0,3: reference 255, ours 3\n<VRT\/>/)
})

test('an element that is not of the grammar is not counted', () => {
  const counts = new ElementCounts(['NODATA'])
  assert.throws(() => counts.add('Nodata'), RangeError)
  assert.deepEqual(counts.counts, { NODATA: 0 })
})
