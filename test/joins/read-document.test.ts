import assert from 'node:assert/strict'
import test from 'node:test'
import { valueInName } from '../../src/joins/read-along.ts'
import { isJoinDocument, readJoinDocument } from '../../src/joins/read-document.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'

const read = async (text: string) => await readJoinDocument(Buffer.from(text))
const yaml = async (rest: string) => await read(`virtual_zarr: join/1\n${rest}`)

test('a document says all that JOIN-1 lets it say', async () => {
  const join = await yaml(`
sources:                       # in order
  template: https://h/sst_{year}{month:02}.nc
  year: 2000..2020
  month: 1..12
along: time
variables: [sst, ice]
drop: junk
rename: { a: b }
options: { group: science }
check: all
missing: fill
lengths: 31
merge:
  - sources: [x.nc, y.nc]
    along: { new: run, from: 'run_(\\d+)' }
`)
  assert.deepEqual(join.along, [{ kind: 'existing', name: 'time' }])
  assert.deepEqual(join.sources, {
    kind: 'sources',
    specs: [
      {
        kind: 'template',
        template: 'https://h/sst_{year}{month:02}.nc',
        fields: new Map([
          ['year', '2000..2020'],
          ['month', '1..12'],
        ]),
      },
    ],
  })
  assert.deepEqual(join.variables, ['sst', 'ice'])
  assert.deepEqual(join.drop, ['junk'])
  assert.deepEqual(
    [...join.rename, ...join.options],
    [
      ['a', 'b'],
      ['group', 'science'],
    ],
  )
  assert.deepEqual([join.check, join.missing, join.lengths], ['all', 'fill', 31])
  const [merged] = join.merge
  assert.deepEqual(merged?.along, [
    { kind: 'new', name: 'run', values: { kind: 'name', pattern: { before: 'run_', inner: 'digits', after: '' } } },
  ])
})

test('the same as JSON, with what is not said at its default', async () => {
  const join = await read('{"virtual_zarr": "join/1", "sources": ["a.nc", "b.nc"]}')
  assert.deepEqual(join.sources, { kind: 'sources', specs: [{ kind: 'list', urls: ['a.nc', 'b.nc'] }] })
  assert.deepEqual([join.check, join.missing, join.lengths, join.drop], ['first-and-last', 'refuse', undefined, []])
  assert.deepEqual(join.along, [{ kind: 'unsaid' }])
})

test('rows of sources are for several joined dimensions', async () => {
  const join = await yaml(`
along: [{ new: member, values: [1, 2] }, time]
sources:
  - [a.nc, b.nc]
  - template: c_{n}.nc
    n: 1..2
`)
  assert.equal(join.sources.kind, 'rows')
  assert.deepEqual(join.sources.kind === 'rows' && join.sources.rows.map(({ kind }) => kind), ['sources', 'sources'])
})

test('what a document may not say is refused by name', async () => {
  const refused: [string, RegExp][] = [
    ['sources: [a]\nalogn: time', /"alogn"/],
    ['along: time', /names its sources/],
    ['sources: []', /empty/],
    ['sources: {list: [a], glob: b}', /one of/],
    ['sources: {list: [a], extra: b}', /"extra"/],
    ['sources: [a]\ncheck: some', /check is "some"/],
    ['sources: [a]\nlengths: [1, -1]', /lengths/],
    ['sources: [a]\nalong: {new: x, old: y}', /"old"/],
    ['sources: [a]\nalong: {new: x, values: [1], attribute: y}', /enough/],
    ['sources: [a]\nalong: {new: x, values: [1, b]}', /mixes/],
    ['sources: [a]\nalong: [x, x]', /twice/],
    ['sources: [a]\nmerge: [{sources: [b], merge: 5}]', /merge/],
    ['sources: [a]\noptions: {group: [x]}', /options.group/],
    ['sources: &a [x]\nvariables: *a', /aliases/],
    ['sources: [a\n', /YAML/],
    ['sources: [a]\nsources: [b]', /YAML/],
  ]
  for (const [text, reason] of refused) {
    await assert.rejects(yaml(text), { code: 'malformed-source', message: reason }, text)
  }
  await assert.rejects(read('virtual_zarr: join/2\nsources: [a]'), /join\/2/)
})

test('what is not built yet says so', async () => {
  for (const text of ['sources: [{stac: x}]', 'sources: [a]\nalong: {new: run, from: "(a|b)+"}']) {
    await assert.rejects(yaml(text), { code: 'unsupported-feature' }, text)
  }
})

test('along two dimensions a flat list is a mosaic, lists in lists are rows', async () => {
  assert.equal((await yaml('sources: [a.tif, b.tif]\nalong: [y, x]')).sources.kind, 'mosaic')
  assert.equal((await yaml('sources: {glob: "*.tif"}\nalong: [y, x]')).sources.kind, 'mosaic')
  assert.equal((await yaml('sources: [[a.nc], [b.nc]]\nalong: [y, x]')).sources.kind, 'rows')
  const stack = (await yaml('sources: [[a.tif, b.tif], [c.tif]]\nalong: [{new: time}, y, x]')).sources
  assert.deepEqual(stack.kind === 'rows' && stack.rows.map(({ kind }) => kind), ['mosaic', 'mosaic'])
  await assert.rejects(yaml('sources: [a.tif]\nalong: [time, y, x]'), { message: /3 dimensions.*list of rows/ })
})

test('documents are bounded in size and nesting', async () => {
  await assert.rejects(yaml(`sources: [a]\n#${'x'.repeat(2 ** 20)}`), { code: 'limit-exceeded' })
  const deep = (depth: number): string =>
    depth === 0 ? '{"sources":["a"]}' : `{"sources":["a"],"merge":[${deep(depth - 1)}]}`
  const document = deep(6).replace('{', '{"virtual_zarr":"join/1",')
  await assert.rejects(read(document), /4 levels/)
  await assert.rejects(yaml(`sources: ${'['.repeat(5000)}`), { code: 'malformed-source' })
})

test('a join is recognised by what it says of itself', () => {
  for (const text of [
    'virtual_zarr: join/1\n',
    '# x\nvirtual_zarr: "join/1"',
    '{"a": 1,\n "virtual_zarr":"join/1"}',
    '\ufeffvirtual_zarr: join/1',
  ]) {
    assert(isJoinDocument(Buffer.from(text)), text)
  }
  for (const text of ['{"version": 1, "refs": {}}', 'x_virtual_zarr: join/1', 'virtual_zarr: join/12', 'CDF']) {
    assert(!isJoinDocument(Buffer.from(text)), text)
  }
})

test('values of a new dimension are found in names', () => {
  const digits = { before: 'run_', inner: 'digits', after: '' } as const
  assert.equal(valueInName('https://h/run_1/run_07.nc', digits), 7)
  assert.equal(valueInName('https://h/x.nc', digits), undefined)
  assert.equal(valueInName('https://h/run_1/run_x.nc', digits), 1)
  assert.equal(valueInName('https://h/m_abc_x.nc', { before: 'm_', inner: 'word', after: '_x' }), 'abc')
  assert.equal(valueInName('https://h/m_a-b.nc', { before: 'm_', inner: 'any', after: '.nc' }), 'a-b')
})

test('YAML of many keys or values is refused or read soon: a mapping of thousands of keys costs no square of them', async () => {
  const keys = Array.from({ length: 8000 }, (_, at) => `  k${at}: v`).join('\n')
  const costs: number[] = []
  for (let round = 0; round < 3; round++) {
    const began = processorMilliseconds()
    assert.equal((await yaml(`sources: [a]\nrename:\n${keys}`)).rename.size, 8000)
    costs.push(processorMilliseconds() - began)
  }
  assert.ok(Math.min(...costs) < 400, `${costs} ms`)
  for (const text of [`sources: [${'a,'.repeat(100_000)}]`, `sources: ${'['.repeat(100_000)}`]) {
    await assert.rejects(yaml(text), { code: 'limit-exceeded', message: /tokens/ })
  }
})
