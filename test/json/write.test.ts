import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float, floatJson, type Json } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { writeJson } from '../../src/json/write.ts'

test('JSON-2: integers are written digit for digit', () => {
  assert.equal(writeJson(-9223372036854775808n), '-9223372036854775808')
  assert.equal(writeJson(9007199254740991), '9007199254740991')
  assert.equal(writeJson(5), '5')
})

test('JSON-2: floats keep their point, sign and value', () => {
  assert.equal(writeJson(floatJson(5)), '5.0')
  assert.equal(writeJson(floatJson(-0)), '-0.0')
  assert.equal(writeJson(-0), '-0.0')
  assert.equal(writeJson(floatJson(0.1)), '0.1')
  assert.equal(writeJson(floatJson(1e20)), '100000000000000000000.0')
  assert.equal(writeJson(floatJson(3.4028234663852886e38)), '3.4028234663852886e+38')
  assert.equal(writeJson(floatJson(5e-324)), '5e-324')
  assert.equal(writeJson(2 ** 53), '9007199254740992.0')
})

test('JSON-1: a non-finite number is refused wherever it is', () => {
  for (const value of [Number.NaN, Infinity, -Infinity]) {
    assert.throws(() => writeJson({ a: [value] }), RangeError)
    assert.throws(() => writeJson(new Float(value)), RangeError)
  }
})

test('JSON-1: lone surrogates never reach the document', () => {
  assert.equal(writeJson({ 'a\ud800': 'b\udfff\u0000' }), '{"a\ufffd":"b\ufffd\\u0000"}')
})

test('what was read is written again as the same values', () => {
  const text = '{"a":[1,2.5,5.0,-0.0,12345678901234567890,"x\\n",null,true],"__proto__":{"b":{}},"c":1e+300}'
  assert.equal(writeJson(parseJson(text)), text)
})

test('nesting without end is refused, not a stack overflow', () => {
  let value: Json = 1
  for (let i = 0; i < 100_000; i++) value = [value]
  assert.throws(() => writeJson(value), /nested more than 512/)
})
