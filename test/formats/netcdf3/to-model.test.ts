import assert from 'node:assert/strict'
import { test } from 'node:test'
import { netcdf3 } from '../../../src/formats/netcdf3/index.ts'
import { Float } from '../../../src/json/json.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { file, type TestAttribute, type TestHeader, u32, u64 } from './build.ts'
import { groupOf } from './golden.ts'

async function parse(description: TestHeader, sentinel: 'auto' | 'warn' | 'error' = 'auto', size = 4096) {
  const { context, diagnostics } = parseContext({ sentinel })
  const source = countingSource(file(description, [], 4096).subarray(0, size))
  const root = groupOf(await netcdf3.parse(source, context))
  return { root, codes: diagnostics.map(({ code }) => code), diagnostics }
}

/** One scalar variable `v` with these attributes. */
async function parseOne(type: number, attributes: TestAttribute[], sentinel: 'auto' | 'warn' | 'error' = 'auto') {
  const parsed = await parse(
    { version: 5, variables: [{ name: 'v', dims: [], type, begin: 2048, attributes }] },
    sentinel,
  )
  const member = parsed.root.members.get('v')
  return { ...parsed, member, array: member as VirtualArray }
}

function floats(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeFloatBE(value, i * 4)
  return bytes
}

test('FV-NC3-1: an explicit _FillValue is the sentinel and the storage fill', async () => {
  const { array } = await parseOne(3, [{ name: '_FillValue', type: 3, value: Buffer.from([0x80, 0]) }])
  const value = { kind: 'number', value: -32768 }
  assert.deepEqual(array.fillValue, value)
  assert.equal(array.fillOrigin, 'attribute _FillValue')
  assert.deepEqual(array.sentinels, { fillValue: value, missingValue: undefined })
  assert.equal(array.attributes.has('_FillValue'), false)
})

test('FV-NC3-2: what _FillValue carries for a list is not what unwritten values read as', async () => {
  const value = floats(-1, Number.POSITIVE_INFINITY)
  const { array } = await parseOne(5, [{ name: 'missing_value', type: 5, value }])
  assert.equal(array.sentinels.fillValue?.value, Number.POSITIVE_INFINITY)
  assert.deepEqual(array.attributes.get('missing_value'), [new Float(-1)])
  assert.equal(array.fillOrigin, 'default of float')
})

const DEFAULTS: readonly (readonly [number, string, number | bigint])[] = [
  [1, 'byte', -127],
  [3, 'short', -32767],
  [4, 'int', -2147483647],
  [5, 'float', 9.969209968386869e36],
  [6, 'double', 9.969209968386869e36],
  [7, 'ubyte', 255],
  [8, 'ushort', 65535],
  [9, 'uint', 4294967295],
  [10, 'int64', -9223372036854775806n],
  [11, 'uint64', 18446744073709551614n],
]

for (const [type, name, value] of DEFAULTS) {
  test(`FV-NC3-2, FV-NC3-3: the default of ${name} is the storage fill, and no sentinel`, async () => {
    const { array } = await parseOne(type, [])
    assert.equal(array.fillValue.value, value)
    assert.equal(array.fillOrigin, `default of ${name}`)
    assert.equal(array.sentinels.fillValue, undefined)
  })
}

test('FV-NC3-2: the default of char is NUL', async () => {
  assert.deepEqual((await parseOne(2, [])).array.fillValue, { kind: 'bytes', value: new Uint8Array(0) })
})

test('FV-16: a _FillValue that the type cannot hold is dropped with a diagnostic', async () => {
  const { array, codes } = await parseOne(1, [{ name: '_FillValue', type: 4, value: u32(-9999) }])
  assert.equal(array.sentinels.fillValue, undefined)
  assert.equal(array.fillOrigin, 'default of byte')
  assert.deepEqual(codes, ['sentinel-dropped'])
})

test('FV-15: under sentinel=error it costs that array, and no other', async () => {
  const { member } = await parseOne(1, [{ name: '_FillValue', type: 4, value: u32(-9999) }], 'error')
  assert.ok(member?.kind === 'skipped')
  assert.equal(member.code, 'malformed-source')
  assert.match(member.reason, /array v: _FillValue is -9999/)
})

test('PACK-4: the _FillValue of an unsigned number in a signed type is the stored number', async () => {
  const { array } = await parseOne(1, [
    { name: '_FillValue', type: 3, value: Buffer.from([0, 255]) },
    { name: '_Unsigned', type: 2, value: 'true' },
  ])
  assert.deepEqual(array.sentinels.fillValue?.value, -1)
  assert.equal(array.attributes.get('_Unsigned'), 'true')
})

test('FV-12: a missing_value of NaN does not make a _FillValue, nor the storage fill', async () => {
  const { array } = await parseOne(5, [{ name: 'missing_value', type: 5, value: floats(Number.NaN) }])
  assert.equal(array.sentinels.fillValue, undefined)
  assert.equal(array.fillOrigin, 'default of float')
})

test('a missing_value that is a list stays an attribute', async () => {
  const { array } = await parseOne(4, [{ name: 'missing_value', type: 4, value: u32(1, 2) }])
  assert.deepEqual(array.attributes.get('missing_value'), [1, 2])
})

test('JSON-7: attributes are text, numbers or lists, and numbers keep their kind', async () => {
  const { array } = await parseOne(4, [
    { name: 'text', type: 2, value: 'déjà\0\0' },
    { name: 'nothing', type: 6, value: new Uint8Array(0) },
    { name: 'one', type: 4, value: u32(-5) },
    { name: 'point', type: 5, value: floats(5) },
    { name: 'range', type: 5, value: floats(0.5, 2) },
    { name: 'single', type: 5, value: floats(0.1) },
    { name: 'wide', type: 11, value: u64(2n ** 64n - 1n, 7) },
    { name: 'latin', type: 2, value: Buffer.from([0xb0, 0x43, 0]) },
  ])
  assert.deepEqual(Object.fromEntries(array.attributes), {
    text: 'déjà',
    nothing: '',
    one: -5,
    point: new Float(5),
    range: [0.5, new Float(2)],
    single: Math.fround(0.1),
    wide: [2n ** 64n - 1n, 7],
    latin: Uint8Array.of(0xb0, 0x43),
  })
})

test('two variables whose names are the same once their encoding was guessed are both served', async () => {
  const named = (name: string | Buffer, begin: number) => ({ name, dims: [], type: 1, begin })
  for (const names of [
    ['é', Buffer.of(0xe9)],
    [Buffer.of(0xe9), 'é'],
  ] as const) {
    const { root, codes } = await parse({ variables: names.map((name, i) => named(name, 2048 + 4 * i)) })
    assert.deepEqual([...root.members.keys()], ['é', 'é_2'])
    assert.deepEqual(codes, ['name-encoding-guessed'])
  }
  await assert.rejects(parse({ variables: [named('é', 2048), named('é', 2052)] }), /two variables/)
})

test('attributes of the file pass through, whatever their names', async () => {
  const attributes = ['coordinates', 'missing_value', '_FillValue'].map((name) => ({ name, type: 2, value: 'lat lon' }))
  const { root } = await parse({ attributes })
  assert.deepEqual([...root.attributes.keys()], ['coordinates', 'missing_value', '_FillValue'])
})

test('DM-1, DM-10: arrays have the names of their dimensions and big-endian chunks', async () => {
  const { root } = await parse({
    records: 2,
    dims: [
      { name: 'time', length: 0 },
      { name: 'x', length: 3 },
      { name: '', length: 2 },
    ],
    variables: [{ name: 'v', dims: [0, 1, 2], type: 3, begin: 2048 }],
  })
  const array = root.members.get('v') as VirtualArray
  assert.deepEqual(array.dimensionNames, ['time', 'x', null])
  assert.deepEqual(asStored(array).encodings, [[{ name: 'bytes', configuration: { endian: 'big' } }]])
})

test('a file that is cut off is served as far as it goes, with a diagnostic that names the variables', async () => {
  const description = {
    dims: [{ name: 'x', length: 100 }],
    variables: [
      { name: 'whole', dims: [0], type: 4, begin: 1024 },
      { name: 'cut', dims: [0], type: 4, begin: 2048 },
    ],
  }
  const { root, diagnostics } = await parse(description, 'auto', 2100)
  assert.deepEqual([...root.members.keys()], ['whole', 'cut'])
  assert.deepEqual(
    diagnostics.map(({ code, values }) => [code, values]),
    [['truncated-source', ['cut']]],
  )
  assert.match(diagnostics[0]?.message ?? '', /the last complete variable is "whole", which ends at byte 1424$/)
})

test('a file that is cut off inside of its records names the last complete one', async () => {
  const description = (records: number): TestHeader => ({
    records,
    dims: [
      { name: 't', length: 0 },
      { name: 'x', length: 10 },
    ],
    variables: [
      { name: 'a', dims: [0, 1], type: 5, begin: 1024 },
      { name: 'b', dims: [0, 1], type: 4, begin: 1064 },
    ],
  })
  const size = 1024 + 6 * 80 + 50
  const counted = await parse(description(20), 'auto', size)
  assert.deepEqual(counted.codes, ['truncated-source'])
  assert.match(counted.diagnostics[0]?.message ?? '', /the last complete record is 6 of 20$/)
  assert.deepEqual(counted.diagnostics[0]?.values, ['a', 'b'])
  // A header that doesn't know how many records there are: those that are whole are served.
  const streamed = await parse(description(-1), 'auto', size)
  assert.deepEqual(streamed.codes, ['truncated-source'])
  assert.match(streamed.diagnostics[0]?.message ?? '', /the last 50 are the beginning of a record; .* 6 of 6$/)
  assert.deepEqual((streamed.root.members.get('a') as VirtualArray).shape, [6, 10])
  assert.deepEqual((await parse(description(-1), 'auto', 1024 + 6 * 80)).codes, [])
  assert.deepEqual((await parse(description(6), 'auto', size)).codes, [])
})

test('a text variable whose strings are too long to be served whole is skipped', async () => {
  const description = {
    dims: [{ name: 'n', length: 2 ** 28 }],
    variables: [{ name: 'text', dims: [0], type: 2, begin: 1024 }],
  }
  const member = (await parse(description)).root.members.get('text')
  assert.ok(member?.kind === 'skipped' && member.code === 'limit-exceeded')
})

test('CONV-8: a grid costs one read for each of its axes, at once; a file without one costs none', async () => {
  const degrees = (units: string): TestAttribute[] => [{ name: 'units', type: 2, value: units }]
  const description = (units: string): TestHeader => ({
    dims: [
      { name: 'lat', length: 3 },
      { name: 'lon', length: 4 },
    ],
    variables: [
      { name: 'lat', dims: [0], type: 5, begin: 100_000, attributes: degrees('degrees_north') },
      { name: 'lon', dims: [1], type: 5, begin: 200_000, attributes: degrees(units) },
      { name: 'v', dims: [0, 1], type: 5, begin: 300_000 },
    ],
  })
  const data = [
    [100_000, floats(3, 2, 1)],
    [200_000, floats(5, 6, 7, 8)],
  ] as const
  const readsOf = async (units: string) => {
    const source = countingSource(file(description(units), data, 300_100))
    const root = groupOf(await netcdf3.parse(source, parseContext().context))
    return { placed: root.attributes.has('spatial:transform'), later: source.reads.filter(({ offset }) => offset > 0) }
  }
  const axes = [
    { offset: 100_000, length: 12 },
    { offset: 200_000, length: 16 },
  ]
  const found = await readsOf('degrees_east')
  assert.deepEqual([found.placed, found.later.map(({ offset, length }) => ({ offset, length }))], [true, axes])
  assert.deepEqual(await readsOf('m'), { placed: false, later: [] })
})
