import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepareEncoding } from '../../../src/codecs/prepare.ts'
import type { Datatype } from '../../../src/formats/hdf5/messages/datatype.ts'
import type { Filter } from '../../../src/formats/hdf5/messages/filter-pipeline.ts'
import { filterCodecs } from '../../../src/formats/hdf5/storage/filters.ts'

const INT16: Datatype = { class: 'integer', size: 2, endian: 'little', bitOffset: 0, precision: 16, signed: true }
const LAYOUT = { shape: [8], dataType: { kind: 'int', bits: 16 } } as const
const BYTES = { name: 'bytes', configuration: { endian: 'little' } }

function filter(id: number, clientData: readonly number[] = []): Filter {
  return { id, name: '', isOptional: true, clientData }
}

test('an unknown filter is unsupported, and named', () => {
  const unknown: Filter = { id: 32017, name: 'sz', isOptional: false, clientData: [] }
  assert.throws(() => filterCodecs([unknown], INT16), /filter 32017 \(sz\)/)
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
    const codecs = filterCodecs([filter(Number(id), clientData)], INT16)
    assert.doesNotThrow(() => prepareEncoding([BYTES, ...codecs], LAYOUT), `filter ${id}`)
  }
})
