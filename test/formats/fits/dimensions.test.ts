import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fits } from '../../../src/formats/fits/index.ts'
import type { VirtualArray, VirtualGroup } from '../../../src/model/virtual-store.ts'
import { type CountingSource, countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { type CardText, decodedChunk, fileOf, groupOf, hduBytes, imageCards } from './build.ts'

/** For each image and each axis of FITS what astropy.wcs says of the pixels of an axis that is linear and by itself. */
type Golden = Readonly<Record<string, readonly (readonly number[] | null)[]>>

const FOLDER = new URL('../../fixtures/fits/', import.meta.url)
const golden = JSON.parse(readFileSync(new URL('golden-world.json', FOLDER), 'utf8')) as Golden

const NAMES: Readonly<Record<string, readonly string[]>> = {
  PRIMARY: ['velocity', 'y', 'x'],
  MOMENT: ['y', 'x'],
  ERR: ['velocity', 'y', 'x'],
  SPEC: ['wavelength'],
  SPEC_B: ['wavelength_2'],
  OTHER: ['y_2', 'x_2'],
  PLANE: ['y_3', 'x_3'],
  TURNED: ['y_4', 'x_4'],
  SWAPPED: ['y_5', 'x_5'],
  MATRIX: ['y_6', 'x_6'],
  RADIO: ['stokes', 'frequency', 'y', 'x'],
  LOGARITHM: ['wavelength_3'],
  LSR: ['velocity_2'],
  SERIES: ['time', 'x_7'],
  PHASES: ['phase', 'y', 'x'],
  FRACTION: ['x_8'],
  TILES: ['y_9', 'x_9'],
}

async function parse(bytes: Uint8Array) {
  const source = countingSource(bytes)
  const { context, diagnostics } = parseContext()
  return { root: groupOf(await fits.parse(source, context)), source, diagnostics }
}

function arrayOf(root: VirtualGroup, name: string): VirtualArray {
  const array = root.members.get(name)
  assert.ok(array?.kind === 'array', name)
  return array
}

/** All values of a coordinate of one chunk. */
async function numbersOf(array: VirtualArray, source: CountingSource): Promise<number[]> {
  const elements = await decodedChunk(array, [0], source)
  assert.ok(elements.kind === 'fixed')
  return [...new Float64Array(elements.bytes.slice().buffer)]
}

test('DM-1, DM-2: axes are named by what runs along them, one name for one length and one coordinate', async () => {
  const { root } = await parse(readFileSync(new URL('world.fits', FOLDER)))
  const named = Object.keys(golden).map((name) => [name, arrayOf(root, name).dimensionNames])
  assert.deepEqual(Object.fromEntries(named), NAMES)
})

test('linear axes have coordinates as astropy.wcs computes them, others have none', async () => {
  const { root, source } = await parse(readFileSync(new URL('world.fits', FOLDER)))
  const expected = new Set<string>()
  for (const [image, axes] of Object.entries(golden)) {
    const names = [...(NAMES[image] ?? [])].toReversed()
    for (const [axis, values] of axes.entries()) {
      const name = names[axis] ?? ''
      if (values === null) continue
      expected.add(name)
      const served = await numbersOf(arrayOf(root, name), source)
      assert.equal(served.length, values.length, `${image} ${name}`)
      for (const [i, value] of values.entries()) {
        const close = Math.abs((served[i] ?? Number.NaN) - value) <= 1e-13 * Math.max(1, Math.abs(value))
        assert.ok(close, `${image} ${name}[${i}]: ${served[i]} instead of ${value}`)
      }
    }
  }
  const coordinates = [...root.members.keys()].filter((name) => !(name in golden))
  assert.deepEqual(new Set(coordinates), expected)
})

test('a coordinate says CTYPE, CUNIT and CNAME of its axis; the image keeps its keywords', async () => {
  const { root } = await parse(readFileSync(new URL('world.fits', FOLDER)))
  assert.deepEqual(Object.fromEntries(arrayOf(root, 'wavelength').attributes), {
    CTYPE: 'WAVE',
    long_name: 'wavelength in vacuum',
    units: 'nm',
  })
  assert.equal(arrayOf(root, 'SPEC').attributes.get('CUNIT1'), 'nm')
  assert.equal(arrayOf(root, 'PRIMARY').attributes.get('CTYPE1'), 'RA---SIN')
})

const LINE: readonly CardText[] = [
  ['CRVAL1', 1],
  ['CDELT1', 2],
]
const WITHOUT: readonly (readonly [string, readonly CardText[]])[] = [
  [
    'a step of zero',
    [
      ['CRVAL1', 1],
      ['CDELT1', 0],
    ],
  ],
  ['a distortion from a table', [...LINE, ['CPDIS1', 'LOOKUP']]],
  ["logarithms in IRAF's way", [...LINE, ['DC-FLAG', 1]]],
  ["IRAF's spectra", [...LINE, ['CTYPE1', 'MULTISPE']]],
  ['both kinds of matrix', [...LINE, ['PC1_1', 1], ['CD1_1', 2]]],
  ['a matrix that depends on an axis that the image lacks', [...LINE, ['PC1_3', 1]]],
  ['a matrix that is no number', [...LINE, ['PC1_1', 'one']]],
  ['an angle of rotation', [...LINE, ['CROTA2', 30]]],
]

for (const [what, cards] of WITHOUT) {
  test(`an axis with ${what} has no coordinate`, async () => {
    const { root } = await parse(hduBytes([...imageCards(8, [4]), ...cards], new Uint8Array(4)))
    assert.deepEqual([...root.members.keys()], ['PRIMARY'])
    assert.deepEqual(arrayOf(root, 'PRIMARY').dimensionNames, ['x'])
  })
}

test('the matrix of the draft (PC001001) counts as well', async () => {
  const { root, source } = await parse(hduBytes([...imageCards(8, [3]), ...LINE, ['PC001001', 5]], new Uint8Array(3)))
  assert.deepEqual(await numbersOf(arrayOf(root, 'x'), source), [11, 21, 31])
})

test('a name that an HDU has is none for a dimension', async () => {
  const bytes = fileOf(
    hduBytes([...imageCards(8, [3, 2]), ...LINE], new Uint8Array(6)),
    hduBytes([...imageCards(8, [4], true), ['EXTNAME', 'x']], new Uint8Array(4)),
  )
  const { root } = await parse(bytes)
  assert.deepEqual(arrayOf(root, 'PRIMARY').dimensionNames, ['y_2', 'x_2'])
  assert.deepEqual(arrayOf(root, 'x').dimensionNames, ['x_3'])
  assert.deepEqual([...root.members.keys()], ['PRIMARY', 'x', 'x_2'])
})

test('an image whose own words are alike has two dimensions all the same', async () => {
  const words: CardText[] = [1, 2, 3, 4, 5].map((axis) => [`CTYPE${axis}`, 'FREQ'])
  const { root } = await parse(hduBytes([...imageCards(8, [2, 2, 2, 2, 2]), ...words], new Uint8Array(32)))
  const names = arrayOf(root, 'PRIMARY').dimensionNames
  assert.deepEqual(names, ['frequency_5', 'frequency_4', 'frequency_3', 'frequency_2', 'frequency'])
})
