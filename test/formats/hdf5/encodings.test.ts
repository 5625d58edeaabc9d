import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveEncoding } from '../../../src/codecs/pipeline.ts'
import type { Datatype } from '../../../src/formats/hdf5/messages/datatype.ts'
import type { Filter } from '../../../src/formats/hdf5/messages/filter-pipeline.ts'
import { planEncodings } from '../../../src/formats/hdf5/storage/encodings.ts'

const INT16: Datatype = { class: 'integer', size: 2, endian: 'little', bitOffset: 0, precision: 16, signed: true }
const BYTES = { name: 'bytes', configuration: { endian: 'little' } }

function filter(id: number, clientData: readonly number[] = []): Filter {
  return { id, name: '', isOptional: true, clientData }
}

test('there is an encoding for each subset of a pipeline, at the place of its mask', () => {
  const filters = [filter(2, [2]), filter(1, [6]), filter(3)]
  const { encodings, encodingOf } = planEncodings({ codecs: [BYTES], filters, type: INT16 })
  assert.equal(encodings.length, 8)
  const names = (mask: number) => encodings[encodingOf(mask) ?? -1]?.slice(1).map(({ name }) => name)
  assert.deepEqual(names(0), ['numcodecs.shuffle', 'numcodecs.zlib', 'numcodecs.fletcher32'])
  assert.deepEqual(names(0b010), ['numcodecs.shuffle', 'numcodecs.fletcher32'])
  assert.deepEqual(names(0xffff_ffff), [])
})

test('of long pipelines only the two usual masks are planned', () => {
  const filters = Array.from({ length: 6 }, () => filter(1))
  const { encodings, encodingOf } = planEncodings({ codecs: [BYTES], filters, type: INT16 })
  assert.equal(encodings.length, 2)
  assert.deepEqual([0, 0b111111, 0b1].map(encodingOf), [0, 1, undefined])
})

test('an unknown filter is unsupported, and named', () => {
  const unknown: Filter = { id: 32017, name: 'sz', isOptional: false, clientData: [] }
  assert.throws(() => planEncodings({ codecs: [BYTES], filters: [unknown], type: INT16 }), /filter 32017 \(sz\)/)
})

test('every filter that is known has a codec that this server decodes', () => {
  const known = {
    1: [6],
    2: [2],
    3: [],
    4: [141, 16, 16, 64],
    305: [1, 23, 0],
    307: [9],
    32000: [4, 0, 64],
    32001: [2, 2, 2, 64, 5, 1, 1],
    32004: [],
    32008: [0, 3, 2, 0, 2],
    32018: [2, 1, 60, 30, 16, 1],
    32015: [3],
    32026: [],
  }
  for (const [id, clientData] of Object.entries(known)) {
    const { encodings } = planEncodings({ codecs: [BYTES], filters: [filter(Number(id), clientData)], type: INT16 })
    assert.doesNotThrow(() => resolveEncoding(encodings[0] ?? []), `filter ${id}`)
  }
})
