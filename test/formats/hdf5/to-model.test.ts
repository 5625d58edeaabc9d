import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float } from '../../../src/json/json.ts'
import { withPortableTypes } from '../../../src/views/portable-types.ts'
import { arrayAt, memberAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { leavesOf, parseFixture } from './parse.ts'
import { readArray } from './read-array.ts'

test('attributes come in their own types: numbers, lists, grids, text, booleans', async () => {
  const { root, diagnostics } = await parseFixture('old.h5')
  const { attributes } = root
  assert.equal(attributes.get('title'), 'old format')
  assert.equal(attributes.get('empty'), '', 'JSON-7: a null attribute is an empty text')
  assert.deepEqual(attributes.get('list'), [0, 1, 2])
  assert.equal(attributes.get('one'), 7, 'JSON-7: a list of one is its member')
  assert.equal(attributes.get('big'), 2n ** 63n + 1n)
  const row = (...values: number[]) => values.map((value) => new Float(value))
  assert.deepEqual(attributes.get('grid'), [row(0, 1, 2), row(3, 4, 5)])
  assert.deepEqual(attributes.get('texts'), ['a', 'bü'])
  assert.equal(attributes.get('fixed'), 'fixed')
  assert.deepEqual(attributes.get('latin'), Uint8Array.of(0xfc, 0x6d, 0x6c))
  assert.equal(attributes.get('flag'), true)
  assert.equal(arrayAt(root, 'a').attributes.get('target'), '/a', 'a reference is the path of its object')
  assert.deepEqual(
    diagnostics.filter(({ code }) => code.startsWith('attribute')),
    [],
  )
})

test('FV-HDF5-1, FV-HDF5-3: the header says what is unwritten, the attribute what is missing', async () => {
  const { root } = await parseFixture('old.h5')
  const array = arrayAt(root, 'a')
  assert.deepEqual(array.fillValue, { kind: 'number', value: -7 })
  assert.equal(array.fillOrigin, 'fill value message')
  assert.deepEqual(array.sentinels.fillValue, { kind: 'number', value: -1 })
  assert.equal(array.attributes.has('_FillValue'), false)
})

test('what was never written is missing, and reads as the fill value', async () => {
  const { root } = await parseFixture('old.h5')
  for (const [path, fill] of [
    ['unwritten', 1.5],
    ['unwritten_run', 3],
  ] as const) {
    const array = arrayAt(root, path)
    assert.deepEqual(await asStored(array).chunks.at(array.shape.map(() => 0)), { kind: 'missing' })
    assert.deepEqual(array.fillValue, { kind: 'number', value: fill })
    assert.equal(await asStored(array).chunks.isComplete?.(), false)
  }
})

test('hard links and soft links are further names; cycles and dangling links are told and left out', async () => {
  const { root, diagnostics } = await parseFixture('old.h5')
  const target = arrayAt(root, 'a')
  assert.equal(arrayAt(root, 'g/hard'), target)
  assert.equal(arrayAt(root, 'g/soft'), target)
  assert.equal(arrayAt(root, 'g/relative'), arrayAt(root, 'g/b'))
  for (const name of ['cycle', 'dangling', 'elsewhere']) assert.equal(memberAt(root, `g/${name}`), undefined)
  const told = diagnostics.map(({ code, path }) => `${code} ${path}`)
  assert.deepEqual(told.toSorted(), ['link-cycle g/cycle', 'link-dangling g/dangling', 'link-not-followed g/elsewhere'])
})

test('a chunk written without its filters names the encoding without them', async () => {
  const { root } = await parseFixture('old.h5')
  const array = arrayAt(root, 'masked')
  assert.deepEqual(
    asStored(array).encodings.map((encoding) => encoding.map(({ name }) => name)),
    [
      ['bytes', 'numcodecs.shuffle', 'numcodecs.zlib'],
      ['bytes', 'numcodecs.zlib'],
      ['bytes', 'numcodecs.shuffle'],
      ['bytes'],
    ],
  )
  const encodings = await Promise.all([0, 1].map((n) => asStored(array).chunks.at([n])))
  assert.deepEqual(
    encodings.map((ref) => (ref.kind === 'range' ? ref.encoding : undefined)),
    [3, 0],
  )
})

test('committed types are no arrays, a null dataspace is a listed skip', async () => {
  const { root } = await parseFixture('old.h5')
  assert.equal(memberAt(root, 'type'), undefined)
  const skipped = memberAt(root, 'null')
  assert.ok(skipped?.kind === 'skipped')
  assert.match(skipped.reason, /null dataspace/)
})

test('members and attributes keep the order in which they were made, compact and dense', async () => {
  const { root } = await parseFixture('new.h5')
  assert.deepEqual([...root.members.keys()].slice(0, 3), ['z', 'm', 'a'])
  assert.deepEqual(
    [...root.attributes.keys()],
    Array.from({ length: 20 }, (_, i) => `attribute_${String(19 - i).padStart(2, '0')}`),
  )
  const dense = memberAt(root, 'dense')
  assert.ok(dense?.kind === 'group')
  assert.deepEqual(
    [...dense.members.keys()],
    Array.from({ length: 40 }, (_, i) => `d${String((i * 7) % 40).padStart(2, '0')}`),
  )
})

test('types that Zarr has are served as they are, the others recoded or skipped with a reason', async () => {
  const { root } = await parseFixture('types.h5')
  const type = (path: string) => arrayAt(root, path).dataType
  assert.deepEqual(type('be_f2'), { kind: 'float', bits: 16 })
  assert.deepEqual(type('be_c16'), { kind: 'complex', bits: 128 })
  assert.deepEqual(asStored(arrayAt(root, 'be_c16')).encodings, [[{ name: 'bytes', configuration: { endian: 'big' } }]])
  assert.deepEqual(type('bool'), { kind: 'bool' })
  assert.deepEqual(type('fixed'), { kind: 'fixed-text', encoding: 'bytes', length: 5 })
  assert.deepEqual(type('vlen'), { kind: 'string' })
  assert.deepEqual(type('times'), { kind: 'datetime', unit: 's', scale: 1 })
  const skipped = [...leavesOf(root)].filter(([, leaf]) => leaf.kind === 'skipped').map(([path]) => path)
  assert.deepEqual(skipped, [])
})

test('references to objects are their paths, null references empty text; those to regions are a listed skip', async () => {
  const { root, source } = await parseFixture('references.h5')
  const cell = arrayAt(root, 'cell')
  assert.deepEqual(cell.shape, [2, 3])
  assert.equal(cell.attributes.get('MATLAB_class'), 'cell')
  const textsOf = async (path: string) => {
    const texts = await readArray(arrayAt(root, path), source)
    return texts.kind === 'text' ? texts.values : []
  }
  assert.deepEqual(await textsOf('cell'), ['/#refs#/a', '/#refs#/b', '/#refs#/c', '/', '', '/#refs#'])
  const packed = await textsOf('packed')
  assert.deepEqual(packed.slice(9, 14), ['', '/#refs#/a', '/#refs#/b', '/#refs#/c', ''])
  assert.equal(packed.length, 100)
  assert.equal(memberAt(root, 'region')?.kind, 'skipped')
})

test('an enum is its integer, with CF flags; blanks in its names become underscores', async () => {
  const { root } = await parseFixture('types.h5')
  const array = arrayAt(root, 'enum')
  assert.deepEqual(array.dataType, { kind: 'int', bits: 16 })
  assert.deepEqual(array.attributes.get('flag_values'), [2, 1])
  assert.equal(array.attributes.get('flag_meanings'), 'DEEP_BLUE RED')
})

test('records with gaps and in mixed byte orders are repacked, plain ones are not', async () => {
  const { root } = await parseFixture('types.h5')
  assert.deepEqual(asStored(arrayAt(root, 'record')).encodings[0]?.[0], {
    name: 'vz.repack',
    configuration: {
      recordSize: 40,
      runs: [
        [0, 2, 1, 0],
        [8, 8, 1, 1],
        [16, 2, 3, 0],
        [24, 4, 2, 0],
      ],
    },
  })
  assert.deepEqual(asStored(arrayAt(root, 'packed_record')).encodings[0]?.[0], {
    name: 'bytes',
    configuration: { endian: 'little' },
  })
})

test('DM-4: dimension scales name the dimensions; those without a variable are no arrays; bookkeeping is hidden', async () => {
  const { root } = await parseFixture('netcdf.nc')
  const names = (path: string) => arrayAt(root, path).dimensionNames
  assert.deepEqual(names('time'), ['time'])
  assert.deepEqual(names('v'), ['time', 'x'])
  assert.deepEqual(names('inner/w'), ['time', 'x'], 'a scale of the group above')
  assert.deepEqual(names('grid'), ['x', 'only'])
  assert.deepEqual(names('names'), ['x', 'length'])
  assert.equal(memberAt(root, 'length'), undefined)
  assert.deepEqual(names('only'), ['x'], 'a variable that is called like a dimension it does not have')
  assert.deepEqual([...arrayAt(root, 'time').attributes.keys()], ['units'])
  assert.deepEqual([...root.attributes.keys()], ['title'])
})

test('variables that are called like a dimension they do not have are served by their own names', async () => {
  const { root } = await parseFixture('noncoord.nc')
  const served = [...leavesOf(root)].map(([path, leaf]) => [path, leaf.kind === 'array' && leaf.dimensionNames])
  assert.deepEqual(Object.fromEntries(served), { x: ['y'], y: ['x', 'y'], z: [], v: ['x'], 'g/w': ['x'] })
  const byHand = await parseFixture('noncoord_by_hand.nc')
  assert.deepEqual([...byHand.root.members.keys()], ['x'])
  assert.deepEqual(arrayAt(byHand.root, 'x').dimensionNames, ['y'])
})

test('FV-HDF5-1: complex numbers of either byte order read as their fill value where they were never written', async () => {
  const { root } = await parseFixture('complex.h5')
  for (const name of ['c32LE', 'c32BE', 'c64LE', 'c64BE']) {
    assert.deepEqual(arrayAt(root, name).fillValue, { kind: 'complex', value: [1.5, -2.25] }, name)
  }
})

test('a variable shorter than its unlimited dimension is padded with missing chunks', async () => {
  const { root } = await parseFixture('netcdf.nc')
  const array = arrayAt(root, 'short')
  assert.deepEqual(array.shape, [4, 3])
  assert.deepEqual(array.fillValue, { kind: 'number', value: -1 })
})

test('packing stays in attributes, and a missing_value equal to _FillValue is one sentinel', async () => {
  const { root, diagnostics } = await parseFixture('netcdf.nc')
  const { sentinels, attributes } = arrayAt(root, 'v')
  assert.deepEqual(sentinels, { fillValue: { kind: 'number', value: -9 }, missingValue: { kind: 'number', value: -9 } })
  assert.equal(attributes.get('scale_factor'), 0.5)
  assert.deepEqual(diagnostics, [])
})

test('groups that are linked again and again are served under a bounded number of names, and never lost', async () => {
  const { root, diagnostics } = await parseFixture('diamond.h5')
  for (let i = 1; i <= 20; i++) assert.ok(memberAt(root, `g${i}`)?.kind === 'group')
  assert.deepEqual(arrayAt(root, 'g0/a').shape, [3])
  assert.ok(leavesOf(root).size < 20_000)
  assert.ok(diagnostics.some(({ code }) => code === 'link-not-followed'))
})

test('the _FillValue of records goes to their fields', async () => {
  const { root, diagnostics } = await parseFixture('record_fill.h5')
  const warnings: string[] = []
  const tree = withPortableTypes(root, ({ code, path }) => warnings.push(`${path}: ${code}`))
  assert.ok(tree.kind === 'group')
  const sentinels = (name: string) => {
    const record = tree.members.get(name)
    assert.ok(record?.kind === 'group', name)
    return [...record.members.values()].map((field) => field.kind === 'array' && field.sentinels.fillValue?.value)
  }
  assert.deepEqual(sentinels('d'), [-1, -2, -3])
  assert.deepEqual(sentinels('uneven'), [-1, -2, undefined])
  assert.deepEqual(sentinels('other'), [undefined, undefined, undefined])
  assert.deepEqual(warnings, ['uneven: sentinel-dropped'])
  assert.deepEqual(
    diagnostics.filter(({ code }) => code.startsWith('sentinel')).map(({ code, path }) => `${path}: ${code}`),
    ['other: sentinel-dropped'],
  )
})
