import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crockford } from '../../src/bytes/crockford.ts'

test('bytes are spelled five bits a digit, as Icechunk spells its ids', () => {
  assert.equal(crockford(Uint8Array.from({ length: 12 }, (_, at) => at)), '000G40R40M30E209185G')
  assert.equal(crockford(Buffer.from('0b1cc8d6787580f0e33a6534', 'hex')), '1CECHNKREP0F1RSTCMT0')
  assert.equal(crockford(Uint8Array.of(255)), 'ZW')
  assert.equal(crockford(new Uint8Array(0)), '')
})
