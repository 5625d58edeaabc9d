import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeDifferences, readAccepted } from './accepted.ts'
import type { FileDifference } from './compare.ts'
import { formatOf } from './find-files.ts'

const difference = (path: string, what: string): FileDifference => ({
  path,
  array: 'band_data',
  what,
  reference: '3',
  ours: '4',
})
const LIST = readAccepted('- { file: "tiff/*cmyk*", what: "^band_data values", reason: GDAL turns CMYK into RGBA }')

test('a difference is accepted where file and line match an entry, and new otherwise', () => {
  const known = difference('/corpus/tiff/a-cmyk-8.tif', 'values at 0')
  const others = [difference('/corpus/tiff/a-cmyk-8.tif', 'mask'), difference('/corpus/tiff/b.tif', 'values at 0')]
  const { fresh, accepted, stale } = judgeDifferences([known, ...others], [known.path], LIST)
  assert.deepEqual([fresh, accepted, stale], [others, [known], []])
})

test('an entry that no difference of its files needs is reported', () => {
  const paths = ['/corpus/tiff/a-cmyk-8.tif']
  assert.deepEqual(judgeDifferences([], paths, LIST).stale, LIST)
  assert.deepEqual(judgeDifferences([], ['/corpus/tiff/b.tif'], LIST).stale, [])
})

test('every accepted difference has a reason', () => {
  assert.ok(readAccepted().length > 0)
  assert.throws(() => readAccepted('- { file: "*", what: values }'), /needs file, what and reason/)
})

test('files are known by the signatures of their formats', () => {
  const text = (head: string) => formatOf(Buffer.from(head, 'latin1'))
  assert.equal(text('II*\0'), 'tiff')
  assert.equal(text('MM\0+'), 'tiff')
  assert.equal(text('CDF\x05'), 'netcdf3')
  assert.equal(text(`${'\0'.repeat(512)}\x89HDF\r\n\x1a\n`), 'hdf5')
  assert.equal(text('\x0e\x03\x13\x01'), 'hdf4')
  assert.equal(text('SIMPLE  =                    T'), 'fits')
  assert.equal(text('TTAAii CCCC\r\nGRIB\0\0\0\x02'), 'grib')
  assert.equal(text('<?xml version="1.0"?>\n<VRTDataset rasterXSize="3">'), 'vrt')
  assert.equal(text('GRIBBLE is a marine isopod'), undefined)
})
