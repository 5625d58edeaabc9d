import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectionText } from '../../src/server/inspection-text.ts'
import { treeText } from '../../src/server/inspection-tree.ts'
import type { ArrayInspection, Inspection } from '../../src/service/api-schemas.ts'

const array: ArrayInspection = {
  shape: [10, 20],
  data_type: 'int16',
  dimension_names: ['y', 'x'],
  chunk_shape: [5, 20],
  chunk_grid: [2, 1],
  edges: 'padded',
  codecs: [
    { name: 'bytes', configuration: { endian: 'little' } },
    { name: 'gzip', configuration: { level: 5 } },
  ],
  stored: [[{ name: 'numcodecs.zlib', configuration: { level: 1 } }]],
  delivery: ['recode'],
  fill_value: -1,
  fill_value_from: 'attribute _FillValue',
  sentinels: [
    { value: '-1', from: 'attribute _FillValue' },
    { value: '-2', from: 'attribute missing_value' },
  ],
  attributes: { units: 'm', factor: 0.5 },
}

function inspection(change: Partial<Inspection>): Inspection {
  const none = { groups: {}, arrays: {}, skipped: {}, warnings: [] }
  return { source: 'http://h/a.nc', format: 'hdf5', version: 'v1', ...none, ...change }
}

test('an array is told with its type, dimensions, chunks, codecs on both sides, fill value and attributes', () => {
  assert.equal(
    inspectionText(inspection({ arrays: { t: array } }), false),
    `http://h/a.nc
hdf5, version v1

/  1 array
└─ t  int16  (y: 10, x: 20)  400 bytes  m

/

t  int16 (y: 10, x: 20)
    chunks   2 of (5, 20)
    codecs   bytes(endian=little), gzip(level=5)
    stored   numcodecs.zlib(level=1), decoded and encoded again
    fill     -1, from attribute _FillValue
    missing  -1, from attribute _FillValue
    missing  -2, from attribute missing_value
    units = "m"
    factor = 0.5
`,
  )
})

test('a group stands with its arrays, in the order of the source, before the groups below it', () => {
  const groups = { '': { attributes: {} }, b: { attributes: {} }, 'b/c': { attributes: {} }, a: { attributes: {} } }
  const arrays = { z: array, y: array, 'b/c/t': array, 'b/t': array, 'a/t': array }
  const text = inspectionText(inspection({ groups, arrays }), false)
  const heads = text.split('\n').filter((line) => /^\/\S*$|^\S+ {2}int16 \(/.test(line))
  assert.deepEqual(
    heads.map((line) => line.split('  ', 1)[0]),
    ['/', 'z', 'y', '/b', 'b/t', '/b/c', 'b/c/t', '/a', 'a/t'],
  )
})

test('the tree has a line for each node, in columns, and is cut where it is long', () => {
  const long = { ...array, data_type: 'float64', attributes: { long_name: 'height of the sea', units: 'm' } }
  const groups = { '': { attributes: {} }, b: { attributes: {} } }
  assert.equal(
    treeText(inspection({ groups, arrays: { a: array, 'b/long name': long, 'b/c': array } }), false),
    `/  3 arrays in 2 groups
├─ a             int16    (y: 10, x: 20)  400 bytes  m
└─ b/
   ├─ long name  float64  (y: 10, x: 20)    1.6 KiB  height of the sea, m
   └─ c          int16    (y: 10, x: 20)  400 bytes  m
`,
  )
  const many = inspection({ arrays: Object.fromEntries(Array.from({ length: 500 }, (_empty, i) => [`t${i}`, array])) })
  assert.match(treeText(many, false), /\n… and 201 more \(--all\)\n$/)
  assert.ok(treeText(many, true).includes('t499'))
})

test('what is not served, and what was noticed, stands at the end', () => {
  const text = inspectionText(
    inspection({
      arrays: { '': array },
      skipped: { u: { code: 'unsupported-feature', reason: 'no type for it' } },
      warnings: [
        { code: 'name-changed', message: 'was a:b', path: 'a_b' },
        { code: 'odd', message: 'of the file' },
      ],
    }),
    false,
  )
  assert.match(text, /^\/ {2}int16 /m)
  assert.match(text, /\nnot served: 1\n {2}u: no type for it \(unsupported-feature\)\n/)
  assert.match(text, /\nwarnings: 2\n {2}a_b: was a:b \(name-changed\)\n {2}of the file \(odd\)\n$/)
})

test('long lists and texts are cut, and --all leaves nothing out', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_empty, i) => [`t${i}`, array]))
  const long = inspection({ arrays: { ...many, u: { ...array, attributes: { text: 'x'.repeat(5000) } } } })
  const cut = inspectionText(long, false)
  assert.match(cut, /… and 902 more \(--all\)/)
  assert.ok(cut.length < 50_000)
  const all = inspectionText(long, true)
  assert.ok(all.includes('x'.repeat(5000)) && all.includes('t999  int16'))
})

test('nothing in a file moves the cursor of a terminal', () => {
  const hostile = '\u001b[2J\u009b31m\u202e'
  const attributes = { [hostile]: hostile, list: [hostile] }
  const odd = {
    ...array,
    sentinels: [{ value: hostile, from: hostile }],
    attributes,
    dimension_names: [hostile, 'x'],
    fill_value: hostile,
  }
  const text = inspectionText(
    inspection({
      source: `http://h/${hostile}`,
      groups: { [hostile]: { attributes } },
      arrays: { [hostile]: odd },
      skipped: { [`s${hostile}`]: { code: 'malformed-source', reason: hostile } },
      warnings: [{ code: 'odd', message: hostile, path: hostile }],
    }),
    false,
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})
