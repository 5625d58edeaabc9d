import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scalarFromBytes } from '../../src/fill-value/from-bytes.ts'
import { type DataType, itemSize } from '../../src/model/data-type.ts'
import { scalarToBytes } from '../../src/model/scalar-bytes.ts'

const types: readonly DataType[] = [
  { kind: 'bool' },
  ...([8, 16, 32, 64] as const).flatMap((bits): DataType[] => [
    { kind: 'int', bits },
    { kind: 'uint', bits },
  ]),
  ...([16, 32, 64] as const).map((bits): DataType => ({ kind: 'float', bits })),
  { kind: 'complex', bits: 64 },
  { kind: 'complex', bits: 128 },
  { kind: 'datetime', unit: 's', scale: 1 },
  { kind: 'fixed-text', encoding: 'bytes', length: 3 },
  { kind: 'opaque', length: 5 },
]

test('an element is read in either byte order and written in little-endian', () => {
  for (const type of types) {
    const size = itemSize(type) ?? 0
    const bytes = Uint8Array.from({ length: size }, (_, index) => (type.kind === 'bool' ? 1 : 0x31 + index))
    const read = scalarFromBytes(bytes, type, 'little')
    assert.ok(read)
    assert.deepEqual(scalarToBytes(read, type), bytes, type.kind)
    if (type.kind === 'complex' || type.kind === 'fixed-text' || type.kind === 'opaque') continue
    const reversed = scalarFromBytes(bytes.toReversed(), type, 'big')
    assert.deepEqual(reversed, read, type.kind)
  }
})

test('a big-endian record is turned field by field, and its arrays element by element', () => {
  const type: DataType = {
    kind: 'structured',
    fields: [
      { name: 'a', type: { kind: 'int', bits: 16 }, shape: [2] },
      { name: 'b', type: { kind: 'complex', bits: 64 } },
      { name: 'c', type: { kind: 'fixed-text', encoding: 'bytes', length: 2 } },
    ],
  }
  const big = Uint8Array.of(1, 2, 3, 4, 10, 11, 12, 13, 20, 21, 22, 23, 97, 98)
  const little = Uint8Array.of(2, 1, 4, 3, 13, 12, 11, 10, 23, 22, 21, 20, 97, 98)
  assert.deepEqual(scalarFromBytes(big, type, 'big'), { kind: 'bytes', value: little })
})

test('FV-HDF5-2: bytes of another length than the type are no value of it', () => {
  for (const type of types)
    assert.equal(scalarFromBytes(new Uint8Array((itemSize(type) ?? 0) + 1), type, 'little'), undefined)
})

test('text that is none is no value', () => {
  assert.equal(scalarFromBytes(Uint8Array.of(0xff), { kind: 'string' }, 'little'), undefined)
  const utf32: DataType = { kind: 'fixed-text', encoding: 'utf-32', length: 4 }
  assert.equal(scalarFromBytes(Uint8Array.of(0, 0, 0x11, 0), utf32, 'little'), undefined)
  assert.equal(scalarFromBytes(Uint8Array.of(0, 0xd8, 0, 0), utf32, 'little'), undefined)
  assert.deepEqual(scalarFromBytes(Uint8Array.of(0, 1, 0xf6, 0), utf32, 'big'), { kind: 'string', value: '\u{1f600}' })
})
