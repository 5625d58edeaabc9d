import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { fits } from '../../../src/formats/fits/index.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { type CardText, decodedChunk, fileOf, groupOf, hduBytes, imageCards, tableCards } from './build.ts'

async function parse(bytes: Uint8Array, size = bytes.length) {
  const source = countingSource(bytes, size)
  const { context, diagnostics } = parseContext()
  return { root: groupOf(await fits.parse(source, context)), source, diagnostics }
}

async function arrayIn(bytes: Uint8Array, name: string, size = bytes.length) {
  const { root, ...rest } = await parse(bytes, size)
  const array = root.members.get(name)
  assert.ok(array?.kind === 'array', `${name}: ${JSON.stringify(array)}`)
  return { array, ...rest }
}

function isCode(code: 'malformed-source' | 'limit-exceeded') {
  return (error: unknown) => isVirtualZarrError(error, code)
}

test('GEN-8: only files that begin with SIMPLE are recognised', () => {
  const url = new URL('https://example.org/a.fits')
  assert.ok(fits.recognises(hduBytes(imageCards(8, [])), url))
  for (const text of ['', 'SIMPLE', 'CDF\x01', 'XTENSION= ']) assert.ok(!fits.recognises(Buffer.from(text), url))
})

test('an image larger than 4 MiB is cut into runs of rows that divide it', async () => {
  const header = hduBytes(imageCards(-32, [4096, 3000]))
  const { array, source } = await arrayIn(header, 'PRIMARY', header.length + 4096 * 3000 * 4 + 2880)
  assert.deepEqual(array.shape, [3000, 4096])
  assert.deepEqual(array.chunkShape, [250, 4096])
  const offset = 2880 + 2 * 250 * 16_384
  assert.deepEqual(await asStored(array).chunks.at([2, 0]), {
    kind: 'range',
    source: 0,
    offset,
    length: 250 * 16_384,
    encoding: 0,
  })
  assert.ok(source.reads.every(({ length }) => length <= 28_800))
})

test('GEN-3: headers are read and data are skipped', async () => {
  const bytes = fileOf(hduBytes(imageCards(8, [100_000]), new Uint8Array(100_000)), hduBytes(imageCards(8, [], true)))
  const { source } = await parse(bytes)
  const read = source.reads.reduce((sum, { length }) => sum + length, 0)
  assert.ok(read < 40_000, `${read} bytes were read`)
})

test('text of records that is not UTF-8 is Latin-1, with a diagnostic that names them', async () => {
  const utf8 = Buffer.from('µm').toString('latin1')
  const cards: CardText[] = [...imageCards(8, [2]), ['TUNIT', '\u00b0C'], ['WAVE', utf8], ['PLAIN', 'K']]
  const { array, diagnostics } = await arrayIn(hduBytes(cards, new Uint8Array(2)), 'PRIMARY')
  assert.deepEqual(
    ['TUNIT', 'WAVE', 'PLAIN'].map((keyword) => array.attributes.get(keyword)),
    ['°C', 'µm', 'K'],
  )
  assert.deepEqual(
    diagnostics.map(({ code, values }) => [code, values]),
    [['text-encoding-guessed', ['TUNIT']]],
  )
})

/** Two groups of a parameter and an array of 3; `changes` replace records, undefined ones are left out. */
function groupsFile(changes: Readonly<Record<string, CardText[1] | undefined>> = {}): Uint8Array {
  const cards: CardText[] = [...imageCards(16, [0, 3]), ['GROUPS', true], ['PCOUNT', 1], ['GCOUNT', 2], ['PTYPE1', 'U']]
  const changed = cards.flatMap(([keyword, value]): CardText[] => {
    const given = keyword in changes ? changes[keyword] : value
    return given === undefined ? [] : [[keyword, given]]
  })
  return hduBytes(changed, new Uint8Array(16))
}

test('random groups without what tells the length of their data are refused, as astropy does', async () => {
  const { root } = await parse(groupsFile())
  const group = root.members.get('PRIMARY')
  assert.ok(group?.kind === 'group')
  assert.deepEqual([...group.members.keys()], ['DATA', 'U'])
  const refused = {
    'no PCOUNT': groupsFile({ PCOUNT: undefined }),
    'no GCOUNT': groupsFile({ GCOUNT: undefined }),
    'a first axis with a length': groupsFile({ NAXIS1: 2 }),
    'parameters without an axis': groupsFile({ NAXIS: 0, NAXIS1: undefined, NAXIS2: undefined }),
  }
  for (const [what, bytes] of Object.entries(refused))
    await assert.rejects(parse(bytes), isCode('malformed-source'), what)
})

test('a header without data may claim groups, and what follows it is read', async () => {
  const cards: CardText[] = [...imageCards(8, []), ['GROUPS', true], ['PCOUNT', 0], ['GCOUNT', 1]]
  const { root } = await parse(fileOf(hduBytes(cards), hduBytes(imageCards(8, [4], true), new Uint8Array(4))))
  assert.deepEqual([...root.members.keys()], ['HDU1'])
})

const MALFORMED: readonly (readonly [string, readonly CardText[]])[] = [
  ['an odd BITPIX', imageCards(12, [4])],
  ['a negative axis', imageCards(8, [-4])],
  ['an image beyond 2^53 bytes', imageCards(64, [2_000_000_000, 2_000_000_000])],
  ['a missing axis', imageCards(8, [4]).slice(0, 3)],
  ['too many axes', [...imageCards(8, []).slice(0, 2), ['NAXIS', 999]]],
  ['an axis that is no integer', [...imageCards(8, []).slice(0, 2), ['NAXIS', 1], ['NAXIS1', 'four']]],
]
for (const [what, cards] of MALFORMED) {
  test(`GEN-13: ${what} is malformed`, async () => {
    await assert.rejects(parse(hduBytes(cards)), isCode('malformed-source'))
  })
}

test('GEN-13: a header without END is malformed, and one that never ends is over the limit', async () => {
  const header = hduBytes(imageCards(8, [4])).slice()
  header.set(Buffer.from('XXX'), Buffer.from(header).indexOf('END  '))
  await assert.rejects(parse(header), isCode('malformed-source'))
  await assert.rejects(parse(header, 2 ** 40), isCode('limit-exceeded'))
})

// As astropy 8.0.2: it warns, and shows the HDUs before the one whose header is cut.
for (const length of [4, 160, 240]) {
  test(`a file that ends ${length} bytes into the header of an extension has the HDUs before it, with a diagnostic`, async () => {
    const whole = fileOf(hduBytes(imageCards(8, [2]), Uint8Array.of(1, 2)), hduBytes(imageCards(8, [4], true)))
    const { root, diagnostics } = await parse(whole.subarray(0, 5760 + length))
    assert.deepEqual([...root.members.keys()], ['PRIMARY'])
    const [{ code, message } = { code: '', message: '' }] = diagnostics
    assert.deepEqual([diagnostics.length, code], [1, 'truncated-source'])
    assert.match(
      message,
      /inside the header of HDU 1 that begins at byte 5760; the last complete one is HDU 0, which ends at byte 2882$/,
    )
  })
}

test('what follows the last HDU and is none is left out, with a diagnostic', async () => {
  const { root, diagnostics } = await parse(fileOf(hduBytes(imageCards(8, [])), Buffer.alloc(2880, 1)))
  assert.equal(root.members.size, 0)
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['trailing-bytes'],
  )
})

test('an image that claims more than the file holds is served, and the chunk that is cut off is an error', async () => {
  const bytes = hduBytes(imageCards(16, [1000, 3000]), new Uint8Array(4000))
  const { array, diagnostics } = await arrayIn(bytes, 'PRIMARY')
  assert.throws(() => asStored(array).chunks.at([1, 0]), isCode('malformed-source'))
  assert.equal(diagnostics[0]?.code, 'truncated-source')
  assert.match(diagnostics[0].message, /the data of HDU 0 end at byte 6002880; no HDU is complete$/)
})

test('FV-FITS-2: BLANK is ignored on a floating image, and dropped where the type has no such value', async () => {
  const float = await arrayIn(hduBytes([...imageCards(-32, [1]), ['BLANK', 5]], new Uint8Array(4)), 'PRIMARY')
  assert.equal(float.array.sentinels.fillValue, undefined)
  assert.ok(Number.isNaN(float.array.fillValue.value))
  const byte = await arrayIn(hduBytes([...imageCards(8, [1]), ['BLANK', -1]], new Uint8Array(4)), 'PRIMARY')
  assert.equal(byte.array.sentinels.fillValue, undefined)
  assert.deepEqual(byte.array.fillValue, { kind: 'number', value: 0 })
  for (const { diagnostics } of [float, byte]) assert.equal(diagnostics[0]?.code, 'sentinel-dropped')
})

/** A compressed image of tiles of one row, whose bytes nobody has written yet. */
function tileHdu(extra: readonly CardText[], rows: number, heap: number, data: Uint8Array): Uint8Array {
  const table = tableCards(8, rows, heap, [['COMPRESSED_DATA', '1PB(10)']])
  const image: CardText[] = [
    ['ZIMAGE', true],
    ['ZCMPTYPE', 'RICE_1'],
    ['ZBITPIX', 16],
    ['ZNAXIS', 2],
    ['ZNAXIS1', 4],
    ['ZNAXIS2', rows],
  ]
  return hduBytes([...table, ...image, ...extra], data)
}

const PRIMARY = hduBytes(imageCards(8, []))

test('a tile of a million costs one page of their table', async () => {
  const rows = 1_000_000
  const bytes = fileOf(PRIMARY, tileHdu([], rows, 1000, new Uint8Array(8)))
  const { array, source } = await arrayIn(bytes, 'HDU1', PRIMARY.length * 3 + rows * 8 + 2880)
  const before = source.reads.length
  await assert.rejects(async () => asStored(array).chunks.at([567_890, 0]), isCode('malformed-source'))
  assert.deepEqual(
    source.reads.slice(before).map(({ length }) => length),
    [65_536],
  )
  assert.ok(asStored(array).chunks.weight() < 100_000)
})

test('a tile without bytes, or with bytes outside of the heap, is an error and never missing', async () => {
  const descriptors = new DataView(new ArrayBuffer(24))
  descriptors.setUint32(8, 5)
  descriptors.setUint32(12, 90)
  const { array } = await arrayIn(fileOf(PRIMARY, tileHdu([], 3, 50, new Uint8Array(descriptors.buffer))), 'HDU1')
  await assert.rejects(async () => asStored(array).chunks.at([0, 0]), isCode('malformed-source'))
  await assert.rejects(async () => asStored(array).chunks.at([1, 0]), isCode('malformed-source'))
})

test('a compressed image with fewer rows than tiles, or an unknown algorithm, is skipped and says why', async () => {
  for (const card of [
    ['ZNAXIS2', 99],
    ['ZCMPTYPE', 'BSHUF_9'],
  ] as const) {
    const hdu = tileHdu([], 3, 0, new Uint8Array(24))
    const text = Buffer.from(hdu).toString('latin1')
    const at = text.indexOf(card[0].padEnd(8))
    const [changed] = [hduBytes([card])]
    hdu.set((changed ?? hdu).subarray(0, 80), at)
    const { root } = await parse(fileOf(PRIMARY, hdu))
    assert.equal(root.members.get('HDU1')?.kind, 'skipped')
  }
})

test('columns that reach out of their rows are malformed, and cost only their table', async () => {
  const table = hduBytes(tableCards(4, 2, 0, [['A', '2J']]), new Uint8Array(8))
  const { root } = await parse(fileOf(PRIMARY, table, hduBytes(imageCards(8, [2], true), new Uint8Array(2))))
  assert.equal(root.members.get('HDU1')?.kind, 'skipped')
  assert.equal(root.members.get('HDU2')?.kind, 'array')
})

test('a column is gathered from as many rows as span 4 MiB', async () => {
  const rows = 1_000_000
  const table = hduBytes(
    tableCards(100, rows, 0, [
      ['A', 'J'],
      ['B', '96A'],
    ]),
  )
  const { root } = await parse(fileOf(PRIMARY, table), PRIMARY.length + 2880 + rows * 100)
  const group = root.members.get('HDU1')
  const array = group?.kind === 'group' ? group.members.get('A') : undefined
  assert.ok(array?.kind === 'array')
  assert.deepEqual(array.chunkShape, [40_000])
  assert.deepEqual(await asStored(array).chunks.at([1]), {
    kind: 'strided',
    source: 0,
    offset: 2 * 2880 + 40_000 * 100,
    length: 4,
    stride: 100,
    count: 40_000,
    encoding: 0,
  })
})

test('a row of varying length that is longer than TFORM says, or outside of the heap, is an error', async () => {
  for (const [count, offset] of [
    [5, 0],
    [2, 100],
  ] as const) {
    const data = new DataView(new ArrayBuffer(8 + 40))
    data.setUint32(0, count)
    data.setUint32(4, offset)
    const table = hduBytes(tableCards(8, 1, 40, [['V', '1PJ(3)']]), new Uint8Array(data.buffer))
    const { root, source } = await parse(fileOf(PRIMARY, table))
    const group = root.members.get('HDU1')
    const array = group?.kind === 'group' ? group.members.get('V') : undefined
    await assert.rejects(decodedChunk(array as VirtualArray, [0, 0], source), isCode('malformed-source'))
  }
})
