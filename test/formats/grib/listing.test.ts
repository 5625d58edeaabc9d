import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grib } from '../../../src/formats/grib/index.ts'
import { readFields } from '../../../src/formats/grib/messages/read-fields.ts'
import { memorySource } from '../../../src/source/memory.ts'
import { idxOf, indexOf, type LargeGrib, largeGrib, largeSource } from '../../helpers/large-grib.ts'
import { type Waves, waves } from '../../helpers/waves.ts'

const URL = 'https://example.org/gfs.t00z.grib2'
const large = largeGrib(1000)
const offsets = large.messages.map(({ offset }) => offset)

function open(documents: Readonly<Record<string, string>>, file: LargeGrib = large): Waves {
  const bytes = Object.entries(documents).map(([url, text]) => [url, new Uint8Array(Buffer.from(text))] as const)
  return waves(largeSource(URL, file), Object.fromEntries(bytes))
}

async function read({ parsing, beside }: Waves) {
  const { fields, broken } = await readFields(parsing.source, beside.context)
  assert.equal(broken.size, 0)
  return fields
}

describe('a file of 500 MB', () => {
  for (const [name, documents] of [
    ['.idx', { [`${URL}.idx`]: idxOf(large) }],
    ['.index', { 'https://example.org/gfs.t00z.index': indexOf(large) }],
  ] as const) {
    test(`with ${name} beside it is open after three rounds and 2 MB, bitmaps or not`, async () => {
      assert.ok(large.size > 460e6)
      const world = open(documents)
      const fields = await read(world)
      assert.deepEqual(
        fields.map(({ offset }) => offset),
        offsets,
      )
      assert.ok(fields.some(({ hasBitmap }) => hasBitmap))
      assert.ok(world.counted.rounds <= 3, `${world.counted.rounds} rounds`)
      assert.ok(world.counted.bytes <= 2e6, `${world.counted.bytes} bytes`)
      assert.deepEqual(world.beside.diagnostics, [])
    })
  }

  test('without one is open after 40 rounds, most of its bytes unread', async () => {
    const world = open({})
    const fields = await read(world)
    assert.equal(fields.length, 1000)
    assert.ok(world.counted.rounds <= 40, `${world.counted.rounds} rounds`)
    assert.ok(world.counted.bytes <= large.size / 10, `${world.counted.bytes} bytes`)
  })

  test('without one, of messages that are equally long, is open after 25 rounds and one request a message', async () => {
    const equal = largeGrib(1000, false)
    const world = open({}, equal)
    const fields = await read(world)
    assert.deepEqual(
      fields.map(({ offset }) => offset),
      equal.messages.map(({ offset }) => offset),
    )
    assert.ok(world.counted.rounds <= 25, `${world.counted.rounds} rounds`)
    assert.ok(world.counted.requests <= 1030, `${world.counted.requests} requests`)
    assert.ok(world.counted.bytes <= 2e6, `${world.counted.bytes} bytes`)
  })

  test('is the same tree with an index and without', async () => {
    const few = largeGrib(100)
    const trees = await Promise.all(
      [{}, { [`${URL}.idx`]: idxOf(few) }].map(async (documents) => {
        const { parsing, beside } = open(documents, few)
        const tree = await grib.parse(parsing.source, beside.context)
        assert.ok(tree.kind === 'group')
        return [...tree.members].map(([name, member]) => [name, member.kind === 'array' ? member.shape : member.kind])
      }),
    )
    assert.deepEqual(trees[0], trees[1])
    assert.ok(
      trees[0]?.some(([name, shape]) => name === 't' && `${shape}` === '2,10,721,1440'),
      JSON.stringify(trees[0]),
    )
  })
})

test('short messages are read with what lies around them, whatever is listed', async () => {
  const [first] = large.messages
  assert.ok(first)
  const head = large.pieces.filter(({ offset }) => offset < first.length)
  // Without points there is no data.
  const small = shortMessage(head)
  const file = Buffer.concat(Array.from({ length: 12_000 }, () => small))
  const lines = Array.from({ length: 12_000 }, (_, at) => `${at + 1}:${at * small.length}:d=2024010100:TMP:\n`).join('')
  const world = waves(memorySource(URL, new Uint8Array(file)), { [`${URL}.idx`]: new Uint8Array(Buffer.from(lines)) })
  assert.ok(file.length > 2_097_152)
  assert.equal((await read(world)).length, 12_000)
  assert.ok(world.counted.requests < 100, `${world.counted.requests} requests`)
  assert.deepEqual(world.beside.diagnostics, [])
})

/** The message of these pieces without its data. */
function shortMessage(pieces: LargeGrib['pieces']): Buffer {
  const bytes = Buffer.concat(pieces.map((piece) => piece.bytes))
  bytes.writeBigUInt64BE(BigInt(bytes.length), 8)
  bytes.writeUInt32BE(5, bytes.length - 9)
  return bytes
}

describe('an index that is not of its file is told of and not believed', () => {
  const few = largeGrib(60)
  const lines = idxOf(few).split('\n')
  const shifted = (line: string, by: number) => line.replace(/:(\d+):/, (_, offset) => `:${Number(offset) + by}:`)
  const wrong: Readonly<Record<string, string>> = {
    'of another file': idxOf(largeGrib(70)).replaceAll(/:(\d+):d/g, (_, offset) => `:${Number(offset) * 2}:d`),
    'a line is missing': lines.toSpliced(30, 1).join('\n'),
    'a line too many': lines.toSpliced(30, 0, shifted(lines[30] ?? '', 77)).join('\n'),
    'from one line on all is a byte further': lines.map((line, at) => (at < 20 ? line : shifted(line, 1))).join('\n'),
    'it ends early': lines.slice(0, 20).join('\n'),
    'it names what lies behind the end': `${idxOf(few)}61:${few.size + 5}:d=2024010100:\n`,
  }
  for (const [what, text] of Object.entries(wrong)) {
    test(what, async () => {
      const world = open({ [`${URL}.idx`]: text }, few)
      const fields = await read(world)
      assert.deepEqual(
        fields.map(({ offset }) => offset),
        few.messages.map(({ offset }) => offset),
      )
      assert.deepEqual(
        world.beside.diagnostics.map(({ code }) => code),
        ['index-does-not-fit'],
      )
    })
  }

  test('what begins as no message is none, though all else of it is right', async () => {
    const [, , third] = few.messages
    assert.ok(third)
    const pieces = few.pieces.map((piece) => {
      if (piece.offset !== third.offset) return piece
      return { ...piece, bytes: new Uint8Array([...Buffer.from('GRUB'), ...piece.bytes.subarray(4)]) }
    })
    const world = open({ [`${URL}.idx`]: idxOf(few) }, { ...few, pieces })
    const { fields } = await readFields(world.parsing.source, world.beside.context)
    assert.equal(fields.length, 59)
    assert.ok(!fields.some(({ offset }) => offset === third.offset))
  })

  test('a line without an offset', async () => {
    const world = open({ [`${URL}.idx`]: `${lines[0]}\nhello\n` }, few)
    assert.equal((await read(world)).length, 60)
    assert.deepEqual(
      world.beside.diagnostics.map(({ code }) => code),
      ['sidecar-not-read'],
    )
  })
})
