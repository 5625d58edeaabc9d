import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import type { VirtualGroup } from '../../../src/model/virtual-store.ts'
import { arrayAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import type { CountingSource } from './counting-source.ts'
import { FIXTURES, parseFixture } from './parse.ts'
import { readArray } from './read-array.ts'

interface Golden {
  readonly grids: Readonly<Record<string, { readonly transform: readonly number[]; readonly crs: string }>>
}

/** Where GDAL 3.12 has the grids (`make_eos.py`, which names the version in the file). */
const golden = JSON.parse(readFileSync(new URL('golden-eos.json', FIXTURES), 'utf8')) as Golden
const TILE = 'HDFEOS/GRIDS/tile/Data Fields'
const GLOBE = 'HDFEOS/GRIDS/globe/Data Fields'
const ORBIT = 'HDFEOS/SWATHS/orbit/Data Fields'

let root: VirtualGroup
let source: CountingSource
before(async () => {
  ;({ root, source } = await parseFixture('eos.h5'))
})

async function numbersAt(tree: VirtualGroup, path: string): Promise<number[]> {
  const values = await readArray(arrayAt(tree, path), source)
  assert.ok(values.kind === 'fixed')
  return [...new Float64Array(new Uint8Array(values.bytes).buffer)]
}

for (const [path, name] of [
  [TILE, 'tile/Data_Fields/snow'],
  [GLOBE, 'globe/Data_Fields/cloud'],
] as const) {
  test(`${path}: the coordinates are the middles of the pixels of GDAL`, async () => {
    const [left = 0, width = 0, , top = 0, , height = 0] = golden.grids[name]?.transform ?? []
    const [x, y] = [await numbersAt(root, `${path}/XDim`), await numbersAt(root, `${path}/YDim`)]
    for (const [i, value] of x.entries()) assert.ok(Math.abs(value - (left + (i + 0.5) * width)) < 1e-6, `x ${i}`)
    for (const [i, value] of y.entries()) assert.ok(Math.abs(value - (top + (i + 0.5) * height)) < 1e-6, `y ${i}`)
    assert.ok(x.length > 1 && y.length > 1)
    const said = String(arrayAt(root, `${path}/spatial_ref`).attributes.get('GeoTransform'))
      .split(' ')
      .map(Number)
    assert.ok(said.every((number, i) => Math.abs(number - (golden.grids[name]?.transform[i] ?? Number.NaN)) < 1e-6))
  })
}

test('fields have the dimensions that the metadata name, and the mapping of their grid', () => {
  assert.deepEqual(arrayAt(root, `${TILE}/reflectance`).dimensionNames, ['bands', 'YDim', 'XDim'])
  assert.equal(arrayAt(root, `${TILE}/reflectance`).attributes.get('grid_mapping'), 'spatial_ref')
  assert.equal(arrayAt(root, `${TILE}/spatial_ref`).attributes.get('grid_mapping_name'), 'sinusoidal')
  assert.equal(arrayAt(root, `${GLOBE}/YDim`).attributes.get('standard_name'), 'latitude')
})

test('dimensions that contradict the shape of a field are not its own', () => {
  assert.deepEqual(arrayAt(root, `${TILE}/wrong`).dimensionNames, [null, null])
  assert.equal(arrayAt(root, `${TILE}/wrong`).attributes.get('grid_mapping'), undefined)
})

test('geolocation stands beside the fields of a swath, which name what has their dimensions', () => {
  assert.deepEqual(arrayAt(root, `${ORBIT}/profile`).dimensionNames, ['nTimes', 'nXtrack', 'nLevels'])
  for (const name of ['ozone', 'profile'])
    assert.equal(arrayAt(root, `${ORBIT}/${name}`).attributes.get('coordinates'), 'Latitude Longitude Time')
  assert.equal(arrayAt(root, `${ORBIT}/levels`).attributes.get('coordinates'), undefined)
  assert.deepEqual(arrayAt(root, `${ORBIT}/Latitude`).dimensionNames, ['nTimes', 'nXtrack'])
  assert.equal(arrayAt(root, `${ORBIT}/Longitude`).attributes.get('units'), 'degrees_east')
  assert.equal(
    asStored(arrayAt(root, `${ORBIT}/Latitude`)).chunks,
    asStored(arrayAt(root, 'HDFEOS/SWATHS/orbit/Geolocation Fields/Latitude')).chunks,
  )
})
