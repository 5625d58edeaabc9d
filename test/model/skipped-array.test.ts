import assert from 'node:assert/strict'
import test from 'node:test'
import { invalidRequest, malformed, overBudget, overLimit, unsupported, VirtualZarrError } from '../../src/errors.ts'
import { isOwnFault, skippedArray } from '../../src/model/skipped-array.ts'

test('FV-HDF5-9: what is wrong with one array costs that array, with its code and its reason', () => {
  const own = [malformed('a'), unsupported('feature', 'b'), overLimit('c'), invalidRequest('d')]
  for (const error of own) {
    assert.deepEqual(skippedArray(error, ['x']), {
      kind: 'skipped',
      code: error.code,
      reason: error.message,
      dataDimensions: ['x'],
    })
  }
})

test('what is wrong with the source, a budget of the whole open, or our own bug ends the open', () => {
  const whole = [
    new VirtualZarrError('source-changed', 'it changed'),
    new VirtualZarrError('source-unavailable', 'it is gone'),
    overBudget('all of it is spent'),
    new TypeError('a bug'),
  ]
  for (const error of whole) {
    assert.equal(isOwnFault(error), false)
    assert.throws(
      () => skippedArray(error),
      (thrown) => thrown === error,
    )
  }
})
