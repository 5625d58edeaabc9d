import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedEncodings } from '../../../src/formats/hdf5-elements/masked-encodings.ts'
import { rawEncoding } from '../../../src/model/encoding.ts'

const filters = (names: readonly string[]) => names.map((name) => ({ name, configuration: {} }))

test('there is an encoding for each subset of a pipeline, at the place of its mask', () => {
  const { encodings, encodingOf } = maskedEncodings(rawEncoding('little'), filters(['shuffle', 'zlib', 'fletcher32']))
  assert.equal(encodings.length, 8)
  const names = (mask: number) => encodings[encodingOf(mask) ?? -1]?.map(({ name }) => name)
  assert.deepEqual(names(0), ['bytes', 'shuffle', 'zlib', 'fletcher32'])
  assert.deepEqual(names(0b010), ['bytes', 'shuffle', 'fletcher32'])
  assert.deepEqual(names(0xffff_ffff), ['bytes'])
})

test('of long pipelines only the two usual masks are planned', () => {
  const { encodings, encodingOf } = maskedEncodings(rawEncoding('little'), filters([...'abcdef']))
  assert.deepEqual(
    encodings.map((encoding) => encoding.length),
    [7, 1],
  )
  assert.deepEqual([0, 0b111111, 0xffff_ffff, 0b1].map(encodingOf), [0, 1, 1, undefined])
})

test('without filters there is one encoding, whatever the mask', () => {
  const { encodings, encodingOf } = maskedEncodings(rawEncoding('big'), [])
  assert.deepEqual(encodings, [rawEncoding('big')])
  assert.equal(encodingOf(0xffff_ffff), 0)
})
