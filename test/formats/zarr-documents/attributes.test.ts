import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { readV2, readV3 } from './documents.ts'

test('an own _FillValue attribute is the sentinel, encoded or plain', () => {
  for (const value of ['AAAAAICHw8A=', -9999, '-9999.0', [-9999]]) {
    const { array } = readV2({}, { _ARRAY_DIMENSIONS: ['y', 'x'], _FillValue: value, units: 'K' })
    assert.deepEqual(array.sentinels.fillValue, { kind: 'number', value: -9999 }, JSON.stringify(value))
    assert.deepEqual([...array.attributes], [['units', 'K']])
  }
  const v3 = readV3({ attributes: { _FillValue: 'AAAAAAAA+H8=' } }).array
  assert.deepEqual(v3.sentinels.fillValue, { kind: 'number', value: Number.NaN })
  const integer = readV3({ data_type: 'int64', fill_value: 0, attributes: { _FillValue: -1 } }).array
  assert.deepEqual(integer.sentinels.fillValue, { kind: 'bigint', value: -1n })
  const text = readV3({ data_type: 'string', fill_value: '', attributes: { _FillValue: 'none' } }).array
  assert.deepEqual(text.sentinels.fillValue, { kind: 'string', value: 'none' })
})

test('missing_value of the array’s type is a sentinel, a list of them stays an attribute', () => {
  const one = readV2({}, { missing_value: -9999.9 }).array
  assert.deepEqual(one.sentinels.missingValue, { kind: 'number', value: Math.fround(-9999.9) })
  assert.equal(one.attributes.has('missing_value'), false)
  const two = readV2({}, { missing_value: [1, 2] }).array
  assert.equal(two.sentinels.missingValue, undefined)
  assert.deepEqual(two.attributes.get('missing_value'), [1, 2])
})

test('FV-15: a sentinel that the type can’t hold is dropped and reported, or refused on request', () => {
  const zarray = { dtype: '|u1', fill_value: 0 }
  const { array, warnings } = readV2(zarray, { _FillValue: -9999 })
  assert.equal(array.sentinels.fillValue, undefined)
  assert.ok(warnings.includes('sentinel-dropped'))
  const refuse = () => readV2(zarray, { _FillValue: -9999 }, { sentinel: 'error' })
  assert.throws(refuse, (error) => isVirtualZarrError(error, 'malformed-source') && /sentinel=warn/.test(error.message))
})

test('PACK-4: an unsigned number on a signed array is the bits that are stored', () => {
  const { array } = readV2({ dtype: '|i1', fill_value: 0 }, { _Unsigned: 'true', _FillValue: 255 })
  assert.deepEqual(array.sentinels.fillValue, { kind: 'number', value: -1 })
})

test('other attributes pass as they are spelled: lists of one stay lists', () => {
  const attributes = { list: [1], nested: { a: [null] }, null: null, empty: '' }
  assert.deepEqual(structuredClone(Object.fromEntries(readV3({ attributes }).array.attributes)), attributes)
})

test('V2-3: dimension names that don’t fit the array are reported and not taken', () => {
  for (const names of [['y'], 'y x', ['y', 1], null]) {
    const { array, warnings } = readV2({}, { _ARRAY_DIMENSIONS: names })
    assert.equal(array.dimensionNames, undefined)
    assert.equal(array.attributes.size, 0)
    assert.deepEqual(warnings, ['dimension-names-invented'])
  }
})

const UUID = '78691ef5-ff17-4c55-98ca-a57f0e9d50bd'

function convention(value: unknown): object {
  return { version: '0.1.0', name: 'missing_value', configuration: { missing_value: value } }
}

test('CONV-4: what the missing_value convention declares is the sentinel, spelled as a fill value', () => {
  const cases: readonly (readonly [object, unknown, unknown])[] = [
    [{ data_type: 'uint8', fill_value: 0 }, 255, 255],
    [{}, 'NaN', Number.NaN],
    [{}, '-Infinity', -Infinity],
    [{}, -9999.9, Math.fround(-9999.9)],
    [{ data_type: 'int64', fill_value: 0 }, -1, -1n],
    [{ data_type: 'bool', fill_value: false }, true, true],
    [{ data_type: 'complex64', fill_value: [0, 0] }, [1, 'NaN'], [1, Number.NaN]],
    [{ data_type: 'string', fill_value: '', codecs: [{ name: 'vlen-utf8' }] }, 'none', 'none'],
  ]
  for (const [document, value, expected] of cases) {
    const { array, warnings } = readV3({ ...document, attributes: { [UUID]: convention(value) } })
    assert.deepEqual(array.sentinels.fillValue?.value, expected, JSON.stringify(value))
    assert.equal(array.sentinels.declared, array.sentinels.fillValue)
    assert.deepEqual(structuredClone(array.attributes.get(UUID)), convention(value))
    assert.deepEqual(warnings, [])
  }
})

test('CONV-4: drafts and the list of conventions declare it too', () => {
  const forms = [
    { zarr_conventions: { [UUID]: convention('NaN') } },
    { zarr_conventions: [{ uuid: 'another' }, { uuid: UUID, ...convention('NaN') }] },
    { zarr_conventions: [{ uuid: UUID }], missing_value: 'NaN' },
  ]
  for (const attributes of forms) {
    const { array, warnings } = readV3({ attributes })
    assert.deepEqual(array.sentinels.fillValue, { kind: 'number', value: Number.NaN })
    assert.deepEqual(warnings, [])
  }
  const unlisted = readV3({ attributes: { zarr_conventions: [{ uuid: 'another' }] } })
  assert.equal(unlisted.array.sentinels.fillValue, undefined)
})

test('CONV-4: several conventions that differ all mask where there is room for them, with a diagnostic', () => {
  const read = (attributes: object) => {
    const { array, warnings } = readV3({ data_type: 'int16', fill_value: 0, attributes })
    const { fillValue, missingValue } = array.sentinels
    return [fillValue?.value, missingValue?.value, warnings]
  }
  assert.deepEqual(read({ _FillValue: -1, [UUID]: convention(-1) }), [-1, undefined, []])
  assert.deepEqual(read({ _FillValue: -1, [UUID]: convention(-2) }), [-1, -2, ['sentinels-differ']])
  assert.deepEqual(read({ missing_value: -3, [UUID]: convention(-2) }), [-2, -3, ['sentinels-differ']])
  const three = read({ _FillValue: -1, missing_value: -3, [UUID]: convention(-2) })
  assert.deepEqual(three, [-1, -3, ['sentinels-differ', 'sentinel-dropped']])
})

test('FV-15: a declared value that is none of the type is dropped and reported, or refused on request', () => {
  const document = { data_type: 'uint8', fill_value: 0, attributes: { [UUID]: convention(-1) } }
  const { array, warnings } = readV3(document)
  assert.deepEqual([array.sentinels.fillValue, warnings], [undefined, ['sentinel-dropped']])
  const refuse = () => readV3(document, { sentinel: 'error' })
  assert.throws(refuse, (error) => isVirtualZarrError(error, 'malformed-source') && /sentinel=warn/.test(error.message))
})
