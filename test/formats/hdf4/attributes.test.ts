import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float } from '../../../src/json/json.ts'
import { arrayAt, fixture, parse } from './parse.ts'

test('attributes of every number type are numbers, lists of them, or text; labels and descriptions stand beside them', async () => {
  const { root, diagnostics } = await parse(fixture('attributes.hdf'))
  const { attributes, dimensionNames } = arrayAt(root, 'data')
  assert.deepEqual(dimensionNames, ['row', 'column'])
  assert.equal(root.attributes.get('title'), 'a title')
  assert.equal(attributes.get('long_name'), 'a label')
  assert.deepEqual(attributes.get('valid_range'), [-100, 100])
  assert.equal(attributes.get('uint32_one'), 0)
  assert.equal((attributes.get('uint32_list') as readonly number[])[1], 4_294_967_295)
  assert.deepEqual(attributes.get('float64_one'), new Float(-7))
  assert.equal(attributes.get('char8_list'), 'ABCDEF')
  assert.deepEqual(
    attributes.get('latin'),
    Uint8Array.from(Buffer.from('caf\xe9', 'latin1')),
    'guessed when it is written',
  )
  assert.equal(attributes.get('label'), 'noted')
  assert.equal(attributes.get('description'), 'described')
  assert.equal(arrayAt(root, 'column').shape[0], 4)
  const calibration = diagnostics.find(({ code }) => code === 'calibration-of-hdf')
  assert.equal(calibration?.path, 'data', 'HDF computes scale_factor * (value - add_offset)')
})
