import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { foreignTo, HEAD_OF_CHUNK } from '../../src/codecs/foreign.ts'
import type { JsonObject } from '../../src/json/json.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { poisonChunkMemory } from '../helpers/poisoned-memory.ts'
import { codec, INT16, LITTLE, layoutOf } from './codec-of.ts'

poisonChunkMemory()

interface Vector {
  readonly id: string
  readonly codecs: readonly { readonly name: string; readonly configuration?: JsonObject }[]
  readonly dataType: DataType
  readonly shape: readonly number[]
  readonly stored: string
}

function vectors(): readonly Vector[] {
  const read = (name: string) => readFileSync(new URL(`vectors/${name}`, import.meta.url), 'utf8')
  const { vectors: common } = JSON.parse(read('vectors.json')) as { readonly vectors: readonly Vector[] }
  const lines = ['imagecodecs.jsonl', 'hdf5.jsonl', 'jpegls.jsonl', 'lzo.jsonl'].flatMap((name) =>
    read(name).trim().split('\n'),
  )
  return [...common, ...lines.map((line) => JSON.parse(line) as Vector)]
}

const PAGES = [
  '<!DOCTYPE html>\n<html><body>Log in</body></html>',
  '\n <html>',
  '<?xml version="1.0"?><Error/>',
  '<Error>',
]

function faultOf({ codecs, shape, dataType }: Vector, stored: Uint8Array): string | undefined {
  const encoding = codecs.map(({ name, configuration }) => codec(name, configuration))
  return foreignTo(encoding, { shape, dataType }, stored.subarray(0, HEAD_OF_CHUNK), stored.length)
}

test('no chunk that numcodecs, imagecodecs, libhdf5 or zarr-python wrote is taken for foreign', () => {
  let count = 0
  for (const vector of vectors()) {
    assert.equal(faultOf(vector, Buffer.from(vector.stored, 'base64')), undefined, vector.id)
    count++
  }
  assert.ok(count > 500, `${count} vectors`)
})

test('a page is foreign to every encoding', () => {
  for (const vector of vectors()) {
    // Bytes of one character may be a document, where they are as many as expected.
    if (['uint', 'int', 'bool', 'fixed-text', 'opaque'].includes(vector.dataType.kind)) continue
    for (const page of PAGES) assert.ok(faultOf(vector, Buffer.from(page)) !== undefined, `${vector.id}: ${page}`)
  }
})

test('what is not compressed has its length, checksums included, and text begins with its count', () => {
  const layout = layoutOf(INT16, 50)
  const none = new Uint8Array(0)
  for (const [encoding, length] of [
    [[LITTLE], 100],
    [[LITTLE, codec('crc32c')], 104],
    [[codec('numcodecs.delta', { dtype: '<i2', astype: '|i1' }), LITTLE, codec('numcodecs.shuffle')], 50],
  ] as const) {
    assert.equal(foreignTo(encoding, layout, none, length), undefined)
    for (const other of [length - 1, length + 1, 0]) assert.ok(foreignTo(encoding, layout, none, other) !== undefined)
  }
  const text = layoutOf({ kind: 'string' }, 3)
  const stored = Buffer.from('03000000000000000000000000000000', 'hex')
  assert.equal(foreignTo([codec('vlen-utf8')], text, stored, 16), undefined)
  stored[0] = 4
  assert.ok(foreignTo([codec('vlen-utf8')], text, stored, 16) !== undefined)
})

test('a Blosc frame that was cut off, or decodes to another length, is foreign by its header', () => {
  const [vector] = vectors().filter(({ codecs }) => codecs.map(({ name }) => name).join() === 'bytes,blosc')
  assert.ok(vector !== undefined)
  const stored = Buffer.from(vector.stored, 'base64')
  assert.ok(faultOf(vector, stored.subarray(0, -1)) !== undefined)
  assert.ok(faultOf({ ...vector, shape: [...vector.shape, 2] }, stored) !== undefined)
})
