// Files that are opened by what an index beside them says of their fields: the same arrays and values as without it, from few messages.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { prefixed } from '../../../src/delivery/stored.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { grib } from '../../../src/formats/grib/index.ts'
import { findListing } from '../../../src/formats/grib/messages/listing.ts'
import { readFields } from '../../../src/formats/grib/messages/read-fields.ts'
import { readIndexed } from '../../../src/formats/grib/messages/read-indexed.ts'
import { SectionReader } from '../../../src/formats/grib/messages/reader.ts'
import { toModel } from '../../../src/formats/grib/to-model.ts'
import { gridCoordinates } from '../../../src/model/chunk-index.ts'
import { elementCount } from '../../../src/model/shape.ts'
import type { Member, StoredArray, VirtualArray } from '../../../src/model/virtual-store.ts'
import { memorySource } from '../../../src/source/memory.ts'
import type { Source } from '../../../src/source/source.ts'
import { runApp, storeUrlOf } from '../../helpers/app.ts'
import { type LargeGrib, largeGrib, largeSource, trueIdxOf } from '../../helpers/large-grib.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { waves } from '../../helpers/waves.ts'

const FIXTURES = new URL('../../fixtures/grib/', import.meta.url)
const URL_OF_FILE = 'https://example.org/f.grib2'
/** By ecCodes 2.50.0 (`make_indexed.py`). */
const LINES = JSON.parse(readFileSync(new URL('indexed.json', FIXTURES), 'utf8')) as Readonly<
  Record<string, { readonly idx: string; readonly index: string }>
>

function documents(kind: 'idx' | 'index', text: string): Record<string, Uint8Array> {
  const name = kind === 'idx' ? `${URL_OF_FILE}.idx` : URL_OF_FILE.replace('.grib2', '.index')
  return { [name]: new Uint8Array(Buffer.from(text)) }
}

/** What a client can see of an array: all but how its chunks are found. */
async function seen(composed: VirtualArray, source: Source) {
  const array = asStored(composed)
  const { chunks, encodings, ...rest } = array
  const values: string[] = []
  for (let position = 0; position < elementCount(chunks.gridShape); position++) {
    const ref = await chunks.at(gridCoordinates(position, chunks.gridShape))
    if (ref.kind === 'missing') values.push('missing')
    else values.push(await hashOf(array, ref, source))
  }
  return { ...rest, codecs: encodings.map((codecs) => codecs.map(({ name }) => name)), values }
}

async function hashOf(
  array: StoredArray,
  ref: Exclude<Awaited<ReturnType<StoredArray['chunks']['at']>>, { kind: 'missing' }>,
  source: Source,
) {
  assert.ok(ref.kind === 'range' || ref.kind === 'ranges' || ref.kind === 'inline', ref.kind)
  const parts = ref.kind === 'range' ? [ref] : ref.kind === 'ranges' ? ref.parts : []
  const bytes = Buffer.concat(await Promise.all(parts.map((part) => source.read(part))))
  const stored = ref.kind === 'inline' ? ref.bytes : ref.kind === 'range' ? prefixed(ref, bytes) : bytes
  const encoding = array.encodings[ref.encoding]
  assert.ok(encoding)
  const layout = { shape: array.chunkShape, dataType: array.dataType }
  const decoded = await decodeChunk(stored, encoding, layout, { limit: 2 ** 30 })
  assert.ok(decoded.kind === 'fixed')
  return createHash('sha256').update(decoded.bytes).digest('hex')
}

async function tree(node: Member, source: Source): Promise<unknown> {
  if (node.kind === 'array') return await seen(node, source)
  if (node.kind === 'skipped') return node
  const members: unknown[] = []
  for (const [name, member] of node.members) members.push([name, await tree(member, source)])
  return { attributes: node.attributes, members }
}

async function fieldsOf(bytes: Uint8Array, kind: 'idx' | 'index', text: string) {
  const source = memorySource(URL_OF_FILE, bytes)
  const { counted, beside, parsing } = waves(source, documents(kind, text))
  const listing = await findListing(URL_OF_FILE, beside.context)
  assert.ok(listing)
  counted.requests = 0
  const reader = new SectionReader(parsing.source, {})
  const fields = listing.fields === undefined ? undefined : await readIndexed(reader, listing.fields, { length: 512 })
  return { fields, counted, source }
}

for (const [name, { idx, index }] of Object.entries(LINES)) {
  const bytes = new Uint8Array(readFileSync(new URL(name, FIXTURES)))
  for (const [kind, text] of [
    ['idx', idx],
    ['index', index],
  ] as const) {
    test(`${name} by its .${kind}: documents and values are those without it`, async () => {
      const { fields, source } = await fieldsOf(bytes, kind, text)
      const alone = parseContext()
      const without = await tree(await grib.parse(source, alone.context), source)
      if (fields === undefined) {
        // It holds messages of edition 1, of which an index says too little.
        assert.equal(name, 'forecast.grib')
        return
      }
      const context = parseContext()
      const model = await toModel({ fields, broken: new Map() }, context.context)
      assert.deepEqual(await tree(model, source), without)
      assert.deepEqual(context.diagnostics, alone.diagnostics)
    })
  }
}

const large = largeGrib(2040)

function open(text: string, file: LargeGrib = large) {
  return waves(largeSource(URL_OF_FILE, file), documents('idx', text))
}

async function read({ parsing, beside }: ReturnType<typeof open>) {
  return await readFields(parsing.source, beside.context)
}

describe('a file of 2,040 messages', () => {
  test('is open after 30 requests, in three rounds', async () => {
    const world = open(trueIdxOf(large))
    const { fields, broken } = await read(world)
    assert.equal(broken.size, 0)
    assert.deepEqual(
      fields.map(({ offset }) => offset),
      large.messages.map(({ offset }) => offset),
    )
    assert.ok(world.counted.requests <= 30, `${world.counted.requests} requests`)
    assert.ok(world.counted.rounds <= 3, `${world.counted.rounds} rounds`)
    assert.deepEqual(world.beside.diagnostics, [])
    // What each says of itself is what its message says.
    const without = await readFields(open('').parsing.source, parseContextWithout().context)
    for (const [at, field] of fields.entries()) {
      const own = without.fields[at]
      assert.ok(field.edition === 2 && own?.edition === 2)
      assert.deepEqual([field.product, field.identification, field.grid], [own.product, own.identification, own.grid])
    }
  })

  test('lines that say twice the same are no help: every header is read', async () => {
    const world = open(trueIdxOf(large).replaceAll(/:\d+ mb:/g, ':850 mb:'))
    assert.equal((await read(world)).fields.length, 2040)
    assert.ok(world.counted.requests > 2000, `${world.counted.requests} requests`)
    assert.deepEqual(world.beside.diagnostics, [])
  })

  test('a message that is not what its line says is found where it is read, and then no line is believed', async () => {
    // The last message is always read.
    const lines = trueIdxOf(large).replace(/:50 mb:40 hour fcst:\n$/, ':60 mb:40 hour fcst:\n')
    assert.notEqual(lines, trueIdxOf(large))
    const world = open(lines)
    const { fields } = await read(world)
    const last = fields.at(-1)
    assert.ok(last?.edition === 2)
    assert.equal(Buffer.from(last.product).readUInt32BE(19), 5000)
    assert.equal(last.isListed, undefined)
  })

  test('an index of another file is told of', async () => {
    const world = open(trueIdxOf(largeGrib(2050)))
    assert.equal((await read(world)).fields.length, 2040)
    assert.deepEqual(
      world.beside.diagnostics.map(({ code }) => code),
      ['index-does-not-fit'],
    )
  })
})

function parseContextWithout() {
  const { beside } = waves(memorySource(URL_OF_FILE, new Uint8Array(1)))
  return beside
}

describe('a chunk whose message is not what the index said', async () => {
  const few = largeGrib(100)
  const bytes = await largeSource(URL_OF_FILE, few).read({ offset: 0, length: few.size })
  // 250 and 200 hPa of the second parameter: neither is read when the file is opened.
  const lines = trueIdxOf(few).split('\n')
  const swapped = lines.map((line, at) => {
    if (at === 16) return line.replace(':250 mb:', ':200 mb:')
    return at === 17 ? line.replace(':200 mb:', ':250 mb:') : line
  })
  assert.notDeepEqual(swapped, lines)
  const app = await runApp({ 'swapped.grib2': bytes, 'true.grib2': bytes, 'bare.grib2': bytes })
  await app.write('swapped.grib2.idx', new Uint8Array(Buffer.from(swapped.join('\n'))))
  await app.write('true.grib2.idx', new Uint8Array(Buffer.from(lines.join('\n'))))
  after(() => app.close())

  const chunk = async (name: string, key: string) => await app.http.inject(storeUrlOf(app, name) + key)
  const KEYS = ['r/c/0/5/0/0', 'r/c/0/6/0/0', 'r/c/0/7/0/0', 'r/c/0/8/0/0']

  test('is an error, and all others are right', async () => {
    const without = await Promise.all(KEYS.map((key) => chunk('bare.grib2', key)))
    for (const name of ['true.grib2', 'swapped.grib2']) {
      const documents = await Promise.all([name, 'bare.grib2'].map((file) => chunk(file, 'zarr.json')))
      assert.equal(documents[0]?.body, documents[1]?.body)
      for (const [at, key] of KEYS.entries()) {
        const answer = await chunk(name, key)
        if (name === 'swapped.grib2' && (at === 1 || at === 2)) {
          assert.equal(answer.statusCode, 422, answer.body)
          assert.match(answer.body, /index beside the file does not fit this message: section 4 /)
        } else {
          assert.equal(answer.statusCode, 200, answer.body)
          assert.deepEqual(answer.rawPayload, without[at]?.rawPayload)
        }
      }
    }
  })
})

test('errors of messages are malformed sources', async () => {
  const { checkedMessage, expectedHeader } = await import('../../../src/codecs/grib/listed-message.ts')
  const bytes = readFileSync(new URL('indexed.grib', FIXTURES)).subarray(0, 233)
  const sections = Buffer.from(bytes.subarray(16, 16 + 21 + 72 + 34))
  const whole = (message: Uint8Array, discipline = 0) =>
    Buffer.concat([expectedHeader(discipline, [sections]), message])
  assert.deepEqual(Buffer.from(checkedMessage(whole(bytes))), bytes)
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(bytes)
    copy[at] = value
    return copy
  }
  const cases: readonly (readonly [Buffer, RegExp])[] = [
    [whole(changed(0, 0)), /no message of edition 2/],
    [whole(changed(7, 1)), /no message of edition 2/],
    [whole(changed(15, 232)), /has 232 bytes, expected 233/],
    [whole(changed(232, 0)), /does not end with 7777/],
    [whole(bytes, 10), /of discipline 0, expected 10/],
    [whole(changed(30, 99)), /section 1 of the message/],
    [whole(changed(16 + 21 + 20, 99)), /section 3 of the message/],
    [whole(changed(16 + 21 + 72 + 10, 99)), /section 4 of the message/],
    [whole(changed(16 + 21 + 72 + 34 + 4, 4)), /a section 4 of .* follows section 4/],
  ]
  for (const [stored, message] of cases) {
    assert.throws(
      () => checkedMessage(stored),
      (error) => isVirtualZarrError(error, 'malformed-source') && message.test(error.message),
      String(message),
    )
  }
})
