import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLOUR_NAMES, classColour, colourTable, cssOf, DEFAULT_COLOURS } from '../../web/src/plot/colours.ts'

// matplotlib 3.11.2: round(255 * matplotlib.colormaps[name](step)) at every eighth of 256 steps, and at the last.
const STEPS = [...Array.from({ length: 32 }, (_, i) => 8 * i), 255]
const MATPLOTLIB: Readonly<Record<string, string>> = {
  viridis:
    '440154 470d60 48186a 482374 472d7b 453781 424086 3e4989 3b528b 375b8d 33638d 2f6b8e 2c728e 297a8e 26828e 23898e 21918c 1f988b 1fa088 22a785 28ae80 32b67a 3fbc73 4ec36b 5ec962 70cf57 84d44b 98d83e addc30 c2df23 d8e219 ece51b fde725',
  magma:
    '000004 030312 0a0822 130d34 1d1147 29115a 36106b 440f76 51127c 5d177f 6a1c81 762181 832681 902a81 9c2e7f aa337d b73779 c43c75 d0416f dc4869 e75263 ef5d5e f56b5c f9795d fc8961 fd9869 fea772 feb67c fec488 fed395 fde2a3 fcf0b2 fcfdbf',
  cividis:
    '00224e 00285b 002e6a 053371 1a386f 273e6e 32436d 3b496c 434e6c 4b546c 535a6d 5a5f6e 61656f 686a71 6f7073 767676 7d7c78 848279 8c8878 938e78 9b9476 a39a74 aba072 b4a76f bcae6c c4b468 cdbb63 d5c25e dec958 e7d150 f0d846 f9e03a fee838',
}
/** The tables hold 17 colours, and what lies between them is on straight lines. */
const MAX_DIFFERENCE = 10

function colourAt(name: string, step: number): number[] {
  return [...colourTable(name).subarray(3 * step, 3 * step + 3)]
}

for (const [name, text] of Object.entries(MATPLOTLIB)) {
  test(`the colours of ${name} are those of matplotlib`, () => {
    const expected = text.split(' ').map((colour) => [...Buffer.from(colour, 'hex')])
    assert.equal(expected.length, STEPS.length)
    for (const [at, step] of STEPS.entries()) {
      const found = colourAt(name, step)
      const differences = found.map((channel, i) => Math.abs(channel - (expected[at]?.[i] ?? Number.NaN)))
      assert.ok(Math.max(...differences) <= MAX_DIFFERENCE, `step ${step} is ${found}, expected ${expected[at]}`)
    }
  })
}

test('grey gets lighter from step to step, and blue-red is lightest in its middle', () => {
  const sums = (name: string) => STEPS.map((step) => colourAt(name, step).reduce((sum, channel) => sum + channel, 0))
  assert.deepEqual(
    sums('grey'),
    sums('grey').toSorted((one, other) => one - other),
  )
  assert.ok(Math.max(...sums('blue-red')) <= colourAt('blue-red', 128).reduce((sum, channel) => sum + channel, 0))
  const [red, , blue] = colourAt('blue-red', 0)
  assert.ok((blue ?? 0) > (red ?? 0))
})

test('a name that is none stands for the default', () => {
  assert.ok(COLOUR_NAMES.includes(DEFAULT_COLOURS))
  assert.deepEqual(colourTable('rainbow'), colourTable(DEFAULT_COLOURS))
  assert.deepEqual(colourTable(undefined), colourTable(DEFAULT_COLOURS))
})

test('colours in CSS: parts of the scale, which ends at its ends, and classes one after the other', () => {
  const table = colourTable('viridis')
  assert.deepEqual(
    [-1, 0, 1, 2].map((part) => cssOf(table, part)),
    ['rgb(68 1 84)', 'rgb(68 1 84)', 'rgb(253 231 37)', 'rgb(253 231 37)'],
  )
  assert.equal(classColour(0), 'rgb(75 123 181)')
  assert.equal(classColour(8), classColour(0))
  assert.notEqual(classColour(1), classColour(0))
})
