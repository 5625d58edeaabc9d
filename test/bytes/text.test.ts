import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyText, anyTextOf, latin1Text, spelledBytes, utf8Text } from '../../src/bytes/text.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const EURO = bytes(0xe2, 0x82, 0xac)

test('UTF-8 is read as such, a byte order mark and NULs included', () => {
  assert.equal(utf8Text(EURO), '€')
  assert.equal(utf8Text(bytes(0xef, 0xbb, 0xbf, 0x61, 0)), '\ufeffa\0')
  assert.equal(utf8Text(bytes()), '')
  for (const wrong of [
    bytes(0xe9),
    bytes(0xe2, 0x82),
    bytes(0xc0, 0x80),
    bytes(0xed, 0xa0, 0x80),
    bytes(0xf4, 0x90, 0x80, 0x80),
  ])
    assert.equal(utf8Text(wrong), undefined, Buffer.from(wrong).toString('hex'))
})

test('what is no UTF-8 is Latin-1, a character for every byte, and that is told', () => {
  const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  let told = 0
  const text = anyText(every, () => void told++)
  assert.deepEqual(
    Array.from(text, (character) => character.charCodeAt(0)),
    [...every],
  )
  assert.equal(latin1Text(every), text)
  assert.equal(told, 1)
  assert.equal(
    anyText(EURO, () => void told++),
    '€',
  )
  assert.equal(told, 1)
})

test('a view is read for what it shows of its buffer', () => {
  assert.equal(anyText(bytes(0x61, 0xb0, 0x43, 0x62).subarray(1, 3)), '°C')
})

test('text read with a character for every byte is decoded run by run; characters from elsewhere stay', () => {
  assert.equal(anyTextOf(`a ${latin1Text(EURO)} \u00b0C ℃`), 'a € °C ℃')
  const plain = 'plain'
  assert.equal(anyTextOf(plain), plain)
})

test('a name is spelled by its bytes', () => {
  assert.equal(spelledBytes('caf\u00e9\n'), 'caf\\xe9\\x0a')
})
