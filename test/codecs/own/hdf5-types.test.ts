import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import type { Json, JsonObject } from '../../../src/json/json.ts'
import type { DataType } from '../../../src/model/data-type.ts'

async function decode(
  stored: Uint8Array,
  name: string,
  configuration: JsonObject,
  shape: number[],
  dataType: DataType,
) {
  const encoding = [
    { name, configuration },
    { name: 'bytes', configuration: {} },
  ]
  const elements = await decodeChunk(stored, encoding, { shape, dataType }, { limit: 2 ** 20 })
  if (elements.kind === 'text') return elements.values
  return elements.kind === 'fixed' ? Buffer.from(elements.bytes) : undefined
}

async function isMalformed(attempt: Promise<unknown>): Promise<void> {
  await assert.rejects(attempt, (error) => isVirtualZarrError(error, 'malformed-source'))
}

const INT32: DataType = { kind: 'int', bits: 32 }

test('integers of three bytes are widened with their sign, in either byte order', async () => {
  const field = { size: 3, precision: 24, offset: 0, signed: true }
  const little = Buffer.from('ffffff 010000 000080'.replaceAll(' ', ''), 'hex')
  const big = Buffer.from('ffffff 000001 800000'.replaceAll(' ', ''), 'hex')
  const expected = Buffer.from(new Int32Array([-1, 1, -(2 ** 23)]).buffer)
  assert.deepEqual(await decode(little, 'vz.bit-field', { ...field, order: 'little' }, [3], INT32), expected)
  assert.deepEqual(await decode(big, 'vz.bit-field', { ...field, order: 'big' }, [3], INT32), expected)
})

test('bits around a field do not matter, and an unsigned field has no sign', async () => {
  const stored = Buffer.from(new Uint16Array([0b1111_0000_0001_1111, 0b1000_1111_1111_0000]).buffer)
  const field = { size: 2, precision: 8, offset: 4, signed: false, order: 'little' }
  const decoded = await decode(stored, 'vz.bit-field', field, [2], { kind: 'uint', bits: 8 })
  assert.deepEqual(decoded, Buffer.from([1, 255]))
})

test('a field that does not fit in its bytes, or an exponent outside of its float, is malformed', async () => {
  const one = Buffer.alloc(4)
  await isMalformed(decode(one, 'vz.bit-field', { size: 4, precision: 30, offset: 3 }, [1], INT32))
  await isMalformed(decode(one, 'vz.bit-field', { size: 0, precision: 1 }, [1], INT32))
  const float = { class: 'float', size: 4, signBit: 31, exponentBit: 28, exponentSize: 8, exponentBias: 127 }
  const mantissa = { mantissaBit: 0, mantissaSize: 23, isImplied: true }
  await isMalformed(decode(one, 'vz.bit-field', { ...float, ...mantissa }, [1], { kind: 'float', bits: 32 }))
})

const RECORD: DataType = {
  kind: 'structured',
  fields: [
    { name: 'b', type: { kind: 'float', bits: 64 } },
    { name: 'a', type: { kind: 'uint', bits: 16 }, shape: [2] },
  ],
}

test('records are packed in the order of their runs, each in its own byte order', async () => {
  const stored = Buffer.alloc(2 * 20, 0xee)
  for (const at of [0, 20]) {
    stored.writeUInt16BE(1 + at, at + 2)
    stored.writeUInt16BE(2 + at, at + 4)
    stored.writeDoubleLE(at / 3, at + 10)
  }
  const runs = [
    [10, 8, 1, 0],
    [2, 2, 2, 1],
  ]
  const decoded = await decode(stored, 'vz.repack', { recordSize: 20, runs }, [2], RECORD)
  const expected = Buffer.alloc(24)
  for (const [place, at] of [0, 20].entries()) {
    expected.writeDoubleLE(at / 3, place * 12)
    expected.writeUInt16LE(1 + at, place * 12 + 8)
    expected.writeUInt16LE(2 + at, place * 12 + 10)
  }
  assert.deepEqual(decoded, expected)
})

test('runs outside of the record, or of another length than the type, are malformed', async () => {
  const cases: Json[][] = [
    [
      [13, 8, 1, 0],
      [2, 2, 2, 1],
    ],
    [[10, 8, 1, 0]],
    [
      [10, 8, 1, 0],
      [2, 0, 2, 1],
    ],
    [
      [10, 8, 1, 0],
      [-2, 2, 2, 1],
    ],
    [[10, 8, 1, 0], 'x'],
  ]
  for (const runs of cases)
    await isMalformed(decode(Buffer.alloc(20), 'vz.repack', { recordSize: 20, runs }, [1], RECORD))
})

test('fixed text ends as its padding says', async () => {
  const stored = Buffer.from('ab\0cd   e\0 \0', 'latin1')
  const texts = async (padding: string) => {
    return await decode(stored, 'vz.text', { encoding: 'bytes', length: 4, padding }, [3], { kind: 'string' })
  }
  assert.deepEqual(await texts('nul'), ['ab\0c', 'd   ', 'e\0 '])
  assert.deepEqual(await texts('terminated'), ['ab', 'd   ', 'e'])
  assert.deepEqual(await texts('space'), ['ab\0c', 'd', 'e'])
})

test('fixed text that stays fixed gets NULs for its padding', async () => {
  const type: DataType = { kind: 'fixed-text', encoding: 'bytes', length: 4 }
  const configuration = { encoding: 'bytes', length: 4, padding: 'space' }
  const decoded = await decode(Buffer.from('ab  c   '), 'vz.text', configuration, [2], type)
  assert.equal(decoded?.toString(), 'ab\0\0c\0\0\0')
})

test('client data that no filter would write is refused', async () => {
  const nbit = (clientData: number[]) => decodeChunkOf('vz.nbit', { clientData })
  await isMalformed(nbit([8, 0, 4, 1, 4, 0, 40, 0]))
  await isMalformed(nbit([8, 0, 4, 1, 4, 0, 0, 0]))
  await isMalformed(nbit([8, 0, 2 ** 30, 1, 4, 0, 17, 0]))
  await isMalformed(nbit([5, 0, 4, 9, 4]))
  await isMalformed(nbit([6, 0, 4, 3, 4, 1000]))
  // An array in an array in an array, without end.
  await isMalformed(nbit([99, 0, 1, ...Array.from({ length: 50 }, () => [2, 4]).flat()]))
  await isMalformed(decodeChunkOf('vz.scaleoffset', { clientData: [2, 0, 2 ** 30, 0, 4, 0, 0, 0] }))
  await isMalformed(decodeChunkOf('vz.scaleoffset', { clientData: [0, 0, 4, 0, 4, 0, 0, 0] }))
  await isMalformed(decodeChunkOf('vz.szip', { mask: 0, pixelsPerBlock: 7, bitsPerPixel: 8, pixelsPerScanline: 8 }))
  await isMalformed(decodeChunkOf('vz.bitshuffle', { elementsize: 4, blocksize: 12 }))
})

test('a zfp stream of a later codec is not served', async () => {
  // Client data of a file whose writer calls its codec version 7; libhdf5's plugin refuses it as well.
  const attempt = decodeChunkOf('vz.zfp', { clientData: [268464400, 91252346, 4083, 49283072] })
  await assert.rejects(attempt, (error) => isVirtualZarrError(error, 'unsupported-feature'))
  await isMalformed(decodeChunkOf('vz.zfp', { clientData: [5374096, 1, 4083, 49283072] }))
  await isMalformed(decodeChunkOf('vz.zfp', { clientData: [] }))
})

async function decodeChunkOf(name: string, configuration: JsonObject): Promise<unknown> {
  const encoding = [
    { name: 'bytes', configuration: {} },
    { name, configuration },
  ]
  return decodeChunk(new Uint8Array(64), encoding, { shape: [4], dataType: INT32 }, { limit: 2 ** 20 })
}
