import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { ChunkCollector } from '../../../src/formats/dmrpp/chunk-table.ts'
import { gridPositionFromText } from '../../../src/formats/dmrpp/numbers.ts'
import { arrayAt, reasonAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { documentOf, parse } from './parse.ts'

const chunk = (offset: number, length: number, position?: string, more = '') =>
  `<dmrpp:chunk offset="${offset}" nBytes="${length}"${position === undefined ? '' : ` chunkPositionInArray="${position}"`} ${more}/>`

function variable(chunks: string, { attributes = '', sizes = '2 3', dims = [4, 6], type = 'Int16' } = {}): string {
  const dimensions = dims.map((size) => `<Dim size="${size}"/>`).join('')
  const shape = sizes === '' ? '' : `<dmrpp:chunkDimensionSizes>${sizes}</dmrpp:chunkDimensionSizes>`
  return documentOf(
    `<${type} name="a">${dimensions}<dmrpp:chunks fillValue="0" ${attributes}>${shape}${chunks}</dmrpp:chunks></${type}>`,
  )
}

test('chunks are found whatever their order, missing ones are missing', async () => {
  const all = [chunk(100, 12, '[2,3]'), chunk(40, 12, '[0,0]'), chunk(60, 12, '[2,0]')]
  const { chunks } = asStored(arrayAt((await parse(variable(all.join('')))).root, 'a'))
  assert.deepEqual(chunks.at([0, 0]), { kind: 'range', source: 1, offset: 40, length: 12, encoding: 0 })
  assert.deepEqual(chunks.at([1, 1]), { kind: 'range', source: 1, offset: 100, length: 12, encoding: 0 })
  assert.deepEqual(chunks.at([0, 1]), { kind: 'missing' })
  assert.equal(chunks.isComplete?.(), false)
})

test('positions are read strictly', () => {
  const position = (text: string) => gridPositionFromText(text, [4, 6], [2, 3])
  assert.equal(position('[2,3]'), 3)
  assert.equal(position('[ 2, 3 ]'), 3)
  assert.equal(position('2 3'), 3)
  for (const text of [
    '',
    '[]',
    '[2]',
    '[2,3,0]',
    '[1,0]',
    '[4,0]',
    '[-2,0]',
    '[2,,3]',
    '[2,3',
    'a',
    '[2;3]',
    '[1e0,0]',
  ]) {
    assert.equal(position(text), undefined, text)
  }
  assert.equal(gridPositionFromText('[]', [], []), 0)
})

test('a chunk that makes no sense costs its variable, not the others', async () => {
  const bad: readonly [string, RegExp][] = [
    [chunk(0, 12, '[1,0]'), /no chunk of the array/],
    [chunk(0, 12, '[4,0]'), /no chunk of the array/],
    ['<dmrpp:chunk nBytes="12" chunkPositionInArray="[0,0]"/>', /bytes at undefined/],
    ['<dmrpp:chunk offset="-1" nBytes="12" chunkPositionInArray="[0,0]"/>', /bytes at -1/],
    ['<dmrpp:chunk offset="9007199254740991" nBytes="9" chunkPositionInArray="[0,0]"/>', /9007199254740991/],
    [chunk(0, 12, '[0,0]') + chunk(12, 12, '[0,0]'), /two chunks at one place/],
    [chunk(0, 4, '[0,0]') + chunk(12, 8, '[0,0]', 'LinkedBlockIndex="0"'), /two chunks at one place/],
    [chunk(0, 12, '[0,0]', 'fm="x"'), /filter mask/],
  ]
  for (const [chunks, reason] of bad) {
    const inner = variable(chunks).replace('</Dataset>', '<Int8 name="b"><dmrpp:chunks/></Int8></Dataset>')
    const { root } = await parse(inner)
    assert.match(reasonAt(root, 'a'), reason)
    assert.ok(arrayAt(root, 'b'))
  }
  for (const sizes of ['2', '2 0', 'x y', '2 3 4']) {
    assert.ok(reasonAt((await parse(variable(chunk(0, 12, '[0,0]'), { sizes }))).root, 'a'))
  }
})

test('bytes that are no whole chunk are an error when they are read, never a chunk', async () => {
  const { chunks } = asStored(arrayAt((await parse(variable(chunk(40, 11, '[0,0]')))).root, 'a'))
  assert.throws(() => chunks.at([0, 0]), /11 bytes, expected 12/)
})

test('linked blocks are the pieces of one chunk, in their order', async () => {
  const attributes = 'LBChunk="true"'
  const parts = [
    chunk(50, 8, '[0,0]', 'LinkedBlockIndex="1"'),
    chunk(90, 12, '[2,0]'),
    chunk(10, 4, '[0,0]', 'LinkedBlockIndex="0"'),
  ]
  const { chunks } = asStored(arrayAt((await parse(variable(parts.join(''), { attributes }))).root, 'a'))
  const expected = [
    { offset: 10, length: 4 },
    { offset: 50, length: 8 },
  ]
  assert.deepEqual(chunks.at([0, 0]), { kind: 'ranges', source: 1, parts: expected, encoding: 0 })
  assert.deepEqual(chunks.at([1, 0]), { kind: 'range', source: 1, offset: 90, length: 12, encoding: 0 })
})

test('blocks hold all values, a chunk of which is cut out of those it lies in', async () => {
  const blocks = '<dmrpp:block offset="1000" nBytes="5000000"/><dmrpp:block offset="9000000" nBytes="3000000"/>'
  const document = variable(blocks, { sizes: '', dims: [2000, 2000] })
  const array = arrayAt((await parse(document)).root, 'a')
  assert.equal(asStored(array).edges, 'cropped')
  assert.deepEqual(array.chunkShape, [1000, 2000])
  const parts = [
    { offset: 4_001_000, length: 1_000_000 },
    { offset: 9_000_000, length: 3_000_000 },
  ]
  assert.deepEqual(asStored(array).chunks.at([0, 0]), {
    kind: 'range',
    source: 1,
    offset: 1000,
    length: 4_000_000,
    encoding: 0,
  })
  assert.deepEqual(asStored(array).chunks.at([1, 0]), { kind: 'ranges', source: 1, parts, encoding: 0 })
})

test('values in one piece are as many as the shape says', async () => {
  const whole = variable(chunk(40, 48, '[0,0]'), { sizes: '' })
  assert.deepEqual(arrayAt((await parse(whole)).root, 'a').chunkShape, [4, 6])
  assert.match(reasonAt((await parse(variable(chunk(40, 47), { sizes: '' }))).root, 'a'), /47 bytes/)
})

test('a chunk right within its variable, as old writers have it', async () => {
  const document = documentOf('<Int16 name="a"><Dim size="2"/><dmrpp:chunk nBytes="4" offset="16"/></Int16>')
  const { chunks } = asStored(arrayAt((await parse(document)).root, 'a'))
  assert.deepEqual(chunks.at([0]), { kind: 'range', source: 1, offset: 16, length: 4, encoding: 0 })
})

test('filters are undone in the reverse of the order given; without a version the order is the one there was', async () => {
  const names = async (type: string, version: string) => {
    const document = variable(chunk(0, 9, '[0,0]'), { attributes: `compressionType="${type}" deflateLevel="3"` })
    const { root } = await parse(document.replace('dmrpp:version="3.21"', version))
    return asStored(arrayAt(root, 'a')).encodings[0]?.map(({ name }) => name.replace('numcodecs.', ''))
  }
  const versioned = 'dmrpp:version="3.20"'
  assert.deepEqual(await names('shuffle deflate', versioned), ['bytes', 'shuffle', 'zlib'])
  assert.deepEqual(await names('deflate shuffle fletcher32', versioned), ['bytes', 'zlib', 'shuffle', 'fletcher32'])
  assert.deepEqual(await names('deflate deflate', ''), ['bytes', 'zlib', 'zlib'])
  assert.deepEqual(await names('deflate shuffle', ''), ['bytes', 'shuffle', 'zlib'])
})

test('a filter that is not known costs its variable', async () => {
  const document = variable(chunk(0, 9, '[0,0]'), { attributes: 'compressionType="shuffle szip"' })
  assert.match(reasonAt((await parse(document)).root, 'a'), /szip/)
})

test('a filter mask leaves out the filters it names', async () => {
  const chunks = chunk(0, 9, '[0,0]') + chunk(50, 12, '[2,0]', 'fm="3"') + chunk(90, 12, '[2,3]', 'fm="2"')
  const array = arrayAt((await parse(variable(chunks, { attributes: 'compressionType="shuffle deflate"' }))).root, 'a')
  const codecs = async (coords: readonly number[]) => {
    const ref = await asStored(array).chunks.at(coords)
    return ref.kind === 'range' ? asStored(array).encodings[ref.encoding]?.map(({ name }) => name) : undefined
  }
  assert.deepEqual(await codecs([0, 0]), ['bytes', 'numcodecs.shuffle', 'numcodecs.zlib'])
  assert.deepEqual(await codecs([1, 0]), ['bytes'])
  assert.deepEqual(await codecs([1, 1]), ['bytes', 'numcodecs.shuffle'])
})

test('a variable of whose values nothing is said is described, and its chunks are an error', async () => {
  const array = arrayAt((await parse(documentOf('<Int32 name="a"><Dim size="3"/></Int32>'))).root, 'a')
  assert.throws(
    () => asStored(array).chunks.at([0]),
    (error) => isVirtualZarrError(error, 'malformed-source'),
  )
})

test('a million chunks take 24 bytes each, and are found', () => {
  const collected = new ChunkCollector()
  const count = 1_000_000
  // Backwards, so that they have to be sorted.
  for (let position = count - 1; position >= 0; position--) {
    collected.add(position, { offset: position * 100, length: 100, file: 0, mask: 0 }, undefined)
  }
  const { weight, isComplete, partsAt } = collected.chunks([1000, 1000])
  assert.ok(weight / count < 25, `${weight / count} bytes a chunk`)
  assert.equal(isComplete, true)
  assert.deepEqual(partsAt(777_777), [{ offset: 77_777_700, length: 100, file: 0, mask: 0 }])
  assert.deepEqual(partsAt(count), [])
})

test('a grid far larger than its chunks costs nothing', async () => {
  const document = variable(chunk(0, 2, '[999999999,5]'), { sizes: '1 1', dims: [1_000_000_000, 1000] })
  const { chunks } = asStored(arrayAt((await parse(document)).root, 'a'))
  assert.ok(chunks.weight() < 1000)
  assert.deepEqual(chunks.at([999_999_999, 5]), { kind: 'range', source: 1, offset: 0, length: 2, encoding: 0 })
  assert.ok(reasonAt((await parse(variable('', { dims: [1e15, 1e15], sizes: '1 1' }))).root, 'a'))
})
