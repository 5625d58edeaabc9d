import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { grib } from '../../../src/formats/grib/index.ts'
import { Float } from '../../../src/json/json.ts'
import type { VirtualArray, VirtualGroup } from '../../../src/model/virtual-store.ts'
import { memorySource } from '../../../src/source/memory.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'

const FIXTURES = new URL('../../fixtures/grib/', import.meta.url)

interface Golden {
  readonly dims: readonly string[]
  readonly attrs: Readonly<Record<string, unknown>>
}
interface Dataset {
  readonly coords: Readonly<Record<string, Golden>>
  readonly data: Readonly<Record<string, Golden>>
}
const { files } = JSON.parse(readFileSync(new URL('models.json', FIXTURES), 'utf8')) as {
  readonly files: Readonly<Record<string, readonly Dataset[]>>
}

describe('files of weather centres have the arrays that cfgrib makes of them', () => {
  for (const [name, datasets] of Object.entries(files)) {
    test(name, async () => {
      const groups = groupsOf(await parse(readFileSync(new URL(`models/${name}`, FIXTURES))))
      for (const dataset of datasets) {
        const told = groups.map((group) => [...differences(group, dataset)])
        const least = told.sort((one, other) => one.length - other.length)[0]
        assert.deepEqual(least, [], Object.keys(dataset.data).join(' '))
      }
    })
  }
})

/** Periods by the time range of GRIB 1: before the reference time, around it, extremes, and NCEP's averages of forecasts. ecCodes knows a step of the extremes only. */
const RANGES = [
  [6, [-6, -12], '6'],
  [7, [6, 12], '7'],
  [118, [6, 12], 'max'],
  [119, [6, 12], 'min'],
  [128, [6, 12], '128'],
  [114, [0, 6], '114'],
] as const

for (const [range, ends, kind] of RANGES) {
  test(`a field of time range ${range} of GRIB 1 is about ${ends.join(' and ')} hours, and of the kind ${kind}`, async () => {
    const bytes = readFileSync(new URL('models/tri-kwbc-3-1.grib', FIXTURES))
    const indicator = 8 + 20
    for (let at = 0; at < bytes.length; at += bytes.readUIntBE(at + 4, 3)) bytes[at + indicator] = range
    const { members } = await parse(bytes)
    const [step, field] = [members.get('step'), members.get('t2m')]
    assert.ok(step?.kind === 'array' && field?.kind === 'array')
    const found = await asStored(step).chunks.at([0])
    assert.ok(found.kind === 'inline')
    const hours = [...new Float64Array(new Uint8Array(found.bytes).buffer)].filter((hour) => hour !== 0)
    assert.deepEqual(
      hours.toSorted((one, other) => Math.abs(one) - Math.abs(other)),
      ends.filter((end) => end !== 0),
    )
    assert.equal(field.attributes.get('GRIB_stepType'), kind)
  })
}

async function parse(bytes: Uint8Array): Promise<VirtualGroup> {
  const source = memorySource('https://example.org/file.grib', new Uint8Array(bytes))
  const root = await grib.parse(source, parseContext().context)
  assert.ok(root.kind === 'group')
  return root
}

function groupsOf(root: VirtualGroup): VirtualGroup[] {
  return [root, ...[...root.members.values()].filter((member) => member.kind === 'group')]
}

function* differences({ members }: VirtualGroup, { coords, data }: Dataset): Generator<string> {
  for (const [name, golden] of Object.entries({ ...coords, ...data })) {
    const array = members.get(name)
    if (array?.kind !== 'array') {
      yield `no ${name}`
      continue
    }
    if ((array.dimensionNames ?? []).join() !== golden.dims.join()) yield `${name} lies along ${array.dimensionNames}`
    for (const [key, value] of Object.entries(golden.attrs)) {
      const own = plain(array, key)
      if (JSON.stringify(own) !== JSON.stringify(value)) yield `${name}: ${key} is ${own}, expected ${value}`
    }
  }
}

function plain({ attributes }: VirtualArray, key: string): unknown {
  const value = attributes.get(key)
  return value instanceof Float ? value.value : value
}
