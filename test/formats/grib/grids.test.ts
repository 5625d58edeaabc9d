import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { decode } from '../../../src/codecs/pipeline.ts'
import { prepareEncoding } from '../../../src/codecs/prepare.ts'
import { grib } from '../../../src/formats/grib/index.ts'
import { gridCoordinates } from '../../../src/model/chunk-index.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'

const FIXTURES = new URL('../../fixtures/grib/', import.meta.url)

interface Listed {
  readonly label: string
  readonly bytes: number
  readonly gridType: string
  /** Whether the message says two things that can't both be true: then a diagnostic says which one is believed. */
  readonly contradiction?: boolean
  /** The place of a point in the order of the file, which is its value; latitude and longitude. */
  readonly points: readonly (readonly [value: number, latitude: number, longitude: number])[]
}

/** Messages one after the other, and where their points lie. */
function* goldenMessages(name: string): Generator<readonly [Listed, Uint8Array]> {
  const messages = readFileSync(new URL(`${name}.grib`, FIXTURES))
  const { messages: listing } = JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8')) as {
    readonly messages: readonly Listed[]
  }
  let start = 0
  for (const golden of listing) {
    yield [golden, new Uint8Array(messages.subarray(start, start + golden.bytes))]
    start += golden.bytes
  }
}

/** Degrees. */
const EXACT = 1e-9
/** What is worked out from the last point is as exact as that is coded. */
const CODED = 1e-6
/** ecCodes rounds places of rotated grids on the way, and takes a series for azimuthal grids on ellipsoids. */
const ROUNDED: ReadonlyMap<string, number> = new Map([
  ['rotated_ll', 1e-5],
  ['reduced_rotated_gg', 1e-5],
  ['lambert_azimuthal_equal_area', 1e-7],
])

describe('each value lies where ecCodes says its point is', () => {
  for (const [golden, message] of goldenMessages('grids')) test(golden.label, () => checkGrid(golden, message))
})

/** By ecCodes 2.50.0; by pyproj 3.8.0 where ecCodes has no place or a wrong one; see make_areas.py. */
describe('areas of reduced grids, polar maps, and grids that contradict themselves', () => {
  for (const [golden, message] of goldenMessages('areas')) test(golden.label, () => checkGrid(golden, message))
})

async function checkGrid({ label, gridType, points, contradiction }: Listed, message: Uint8Array): Promise<void> {
  const { context, diagnostics } = parseContext()
  const tree = await grib.parse(countingSource(message), context)
  const codes = diagnostics.map(({ code }) => code)
  // Steps of some of grids.grib are wrong, which changes nothing where both ends and the scanning mode are given.
  if (contradiction !== undefined)
    assert.deepEqual([...new Set(codes)], contradiction ? ['grid-contradiction'] : [], label)
  assert.ok(tree.kind === 'group')
  const arrays = new Map([...tree.members].flatMap(([name, array]) => (array.kind === 'array' ? [[name, array]] : [])))
  const [data] = [...arrays.values()].filter(({ attributes }) => attributes.has('GRIB_gridType'))
  assert.ok(data)
  assert.equal(data.attributes.get('GRIB_gridType'), gridType)
  const rows = data.attributes.get('GRIB_pl')
  assert.equal(Array.isArray(rows), gridType === 'reduced_gg')
  const tolerance = ROUNDED.get(gridType) ?? (contradiction === true ? CODED : EXACT)
  const values = Float32Array.from(await numbersOf(data, message))
  const places = await Promise.all(
    ['latitude', 'longitude'].map(async (name) => placeOf(arrays.get(name), data, message)),
  )
  for (const [value, ...place] of points) {
    const at = values.indexOf(value)
    assert.ok(at >= 0, `${label}: the value ${value}`)
    place.forEach((degrees, axis) => {
      const own = places[axis]?.(at) ?? Number.NaN
      const apart = Math.abs(((own - degrees + 540) % 360) - 180)
      assert.ok(apart < tolerance, `${label}: ${own}, ${degrees} at ${value}`)
    })
  }
}

/** The coordinate of a point of the data by its place in C order. */
async function placeOf(coordinate: VirtualArray | undefined, data: VirtualArray, message: Uint8Array) {
  assert.ok(coordinate)
  const numbers = await numbersOf(coordinate, message)
  const axes = (coordinate.dimensionNames ?? []).map((name) => (data.dimensionNames ?? []).indexOf(name))
  return (position: number) => {
    const coords = gridCoordinates(position, data.shape)
    return numbers[axes.reduce((place, axis) => place * (data.shape[axis] ?? 1) + (coords[axis] ?? 0), 0)]
  }
}

async function numbersOf(array: VirtualArray, message: Uint8Array): Promise<number[]> {
  const { chunks, encodings, chunkShape, dataType, shape } = asStored(array)
  const numbers: number[] = []
  const size = chunks.gridShape.reduce((product, length) => product * length, 1)
  for (let chunk = 0; chunk < size; chunk++) {
    const ref = await chunks.at(gridCoordinates(chunk, chunks.gridShape))
    if (ref.kind === 'inline') numbers.push(...new Float64Array(new Uint8Array(ref.bytes).buffer))
    else {
      assert.ok(ref.kind === 'range')
      assert.deepEqual(chunkShape, shape)
      const pipeline = prepareEncoding(encodings[0] ?? [], { shape, dataType })
      const elements = await decode(pipeline, message.subarray(ref.offset, ref.offset + ref.length), { limit: 2 ** 24 })
      assert.ok(elements.kind === 'fixed')
      numbers.push(...new Float32Array(new Uint8Array(elements.bytes).buffer))
    }
  }
  return numbers
}
