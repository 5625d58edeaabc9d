import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { grib } from '../../../src/formats/grib/index.ts'
import { readFields } from '../../../src/formats/grib/messages/read-fields.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { randoms } from '../../helpers/randoms.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { waves } from '../../helpers/waves.ts'

const FIXTURES = new URL('../../fixtures/grib/', import.meta.url)
const packings = readFileSync(new URL('packings.grib', FIXTURES))
const listing: { readonly messages: readonly { readonly label: string; readonly bytes: number }[] } = JSON.parse(
  readFileSync(new URL('packings.json', FIXTURES), 'utf8'),
)

/** The first message of this label. */
function message(label: string): Buffer {
  let start = 0
  for (const { label: own, bytes } of listing.messages) {
    if (own.startsWith(label)) return packings.subarray(start, start + bytes)
    start += bytes
  }
  throw new Error(label)
}

const one = message('1 grid_simple 12 bits, bitmap some')
const two = message('2 grid_simple 12 bits, bitmap some')

async function fieldsOf(...parts: readonly (Uint8Array | string)[]) {
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
  return readFields(countingSource(new Uint8Array(bytes)), parseContext().context)
}

/** Sections of a message of GRIB 2 by number. */
function sectionsOf(bytes: Buffer): Map<number, Buffer> {
  const sections = new Map<number, Buffer>()
  for (let at = 16; at < bytes.length - 4; at += bytes.readUInt32BE(at)) {
    sections.set(bytes.readUInt8(at + 4), bytes.subarray(at, at + bytes.readUInt32BE(at)))
  }
  return sections
}

function messageOf(sections: readonly (Buffer | undefined)[]): Buffer {
  const body = Buffer.concat([...sections.filter((section) => section !== undefined), Buffer.from('7777')])
  const head = Buffer.from(two.subarray(0, 16))
  head.writeBigUInt64BE(BigInt(body.length + 16), 8)
  return Buffer.concat([head, body])
}

test('messages of both editions follow each other, with headings and other bytes between them', async () => {
  const { fields, broken } = await fieldsOf('\r\r\nHTUK20 EGRR 211200\r\r\n', one, two, 'GRIb77', one, '\0'.repeat(100))
  assert.deepEqual(
    fields.map(({ edition }) => edition),
    [1, 2, 1],
  )
  assert.equal(broken.size, 0)
})

test('a message of several fields gives each of them what came before it', async () => {
  const part = sectionsOf(two)
  const [s1, s3, s4, s5, s6, s7] = [1, 3, 4, 5, 6, 7].map((number) => part.get(number))
  const again = Buffer.from([0, 0, 0, 6, 6, 254])
  const { fields } = await fieldsOf(messageOf([s1, s3, s4, s5, s6, s7, s4, s5, again, s7, s3, s4, s5, s6, s7]))
  assert.equal(fields.length, 3)
  // The second one takes the bitmap of the first: two ranges.
  assert.deepEqual(
    fields.map(({ parts }) => parts.length),
    [1, 2, 1],
  )
})

test('FV-GRIB-1: a bitmap that is used again masks as it did', async () => {
  const part = sectionsOf(two)
  const [s1, s3, s4, s5, s6, s7] = [1, 3, 4, 5, 6, 7].map((number) => part.get(number))
  const later = Buffer.from(s4 ?? '')
  later.writeUInt32BE(12, 18)
  const bytes = new Uint8Array(messageOf([s1, s3, s4, s5, s6, s7, later, s5, Buffer.from([0, 0, 0, 6, 6, 254]), s7]))
  const { decodeGrib2 } = await import('../../../src/codecs/grib/grib2-field.ts')
  const { fields } = await readFields(countingSource(bytes), parseContext().context)
  const values = await Promise.all(
    fields.map(({ parts }) =>
      decodeGrib2(Buffer.concat(parts.map(({ offset, length }) => bytes.subarray(offset, offset + length))), 77, 32),
    ),
  )
  assert.ok(values[0]?.some(Number.isNaN))
  assert.deepEqual(values[1], values[0])
})

test('a field that another one follows, of which an index knew nothing, is refused', async () => {
  const part = sectionsOf(two)
  const [s4, s5, s6, s7] = [4, 5, 6, 7].map((number) => part.get(number) ?? Buffer.of())
  const { decodeGrib2 } = await import('../../../src/codecs/grib/grib2-field.ts')
  const field = Buffer.concat([s5 ?? '', s6 ?? '', s7 ?? ''].map((bytes) => Buffer.from(bytes)))
  assert.equal((await decodeGrib2(field, 77, 32)).length, 77)
  const more = Buffer.concat([field, s4 ?? Buffer.of(), field])
  await assert.rejects(async () => decodeGrib2(more, 77, 32), {
    code: 'malformed-source',
    message: /bytes follow a field/,
  })
})

test('a message of GRIB 1 beyond 8 MB hides its length in section 4', async () => {
  const long = Buffer.from(one)
  const units = Math.ceil((long.length + 4) / 120)
  const sectionStart = 8 + long.readUIntBE(8, 3)
  const gridEnd = sectionStart + long.readUIntBE(sectionStart, 3)
  const dataStart = gridEnd + long.readUIntBE(gridEnd, 3)
  long.writeUIntBE(0x800000 + units, 4, 3)
  long.writeUIntBE(units * 120 - long.length, dataStart, 3)
  const { fields, broken } = await fieldsOf(long, two)
  assert.equal(broken.size, 0)
  assert.deepEqual(
    fields.map(({ edition }) => edition),
    [1, 2],
  )
})

test('a message that is cut off is listed, and a file of nothing else is refused', async () => {
  const source = countingSource(new Uint8Array(Buffer.concat([one, two.subarray(0, two.length - 9)])))
  const tree = await grib.parse(source, parseContext().context)
  assert.ok(tree.kind === 'group')
  assert.equal(tree.members.get(`message_${one.length}`)?.kind, 'skipped')
  for (const length of [9, 20, 40, two.length - 1]) {
    await assert.rejects(fieldsOf(two.subarray(0, length)), { code: 'malformed-source' }, String(length))
  }
})

test('a field that says what another one says is in a group of its own', async () => {
  const source = countingSource(new Uint8Array(Buffer.concat([two, two, two])))
  const tree = await grib.parse(source, parseContext().context)
  assert.ok(tree.kind === 'group')
  const groups = [...tree.members].filter(([, member]) => member.kind === 'group')
  const data = [...tree.members].find(([, member]) => member.kind === 'array' && member.attributes.has('GRIB_name'))
  assert.ok(data)
  const offsets = await Promise.all(
    [tree, ...groups.map(([, member]) => member)].map(async (group) => {
      const array = group.kind === 'group' ? group.members.get(data[0]) : undefined
      assert.ok(array?.kind === 'array')
      const ref = await asStored(array).chunks.at([0, 0])
      return ref.kind === 'range' ? Math.floor(ref.offset / two.length) : undefined
    }),
  )
  assert.deepEqual(offsets, [0, 1, 2])
})

test('thousands of times, steps and parameters take no more than they are', async () => {
  const messages = Array.from({ length: 3000 }, (_, index) => {
    const message = Buffer.from(two)
    const identification = 16
    message.writeUInt16BE(1900 + (index % 200), identification + 12)
    message.writeUInt8(1 + (index % 28), identification + 15)
    let product = 16
    while (message.readUInt8(product + 4) !== 4) product += message.readUInt32BE(product)
    message.writeUInt8(index % 250, product + 9)
    message.writeUInt8(Math.floor(index / 250), product + 10)
    message.writeUInt32BE(index, product + 18)
    return message
  })
  const began = processorMilliseconds()
  const tree = await grib.parse(countingSource(new Uint8Array(Buffer.concat(messages))), parseContext().context)
  assert.ok(tree.kind === 'group' && tree.members.size > 100)
  assert.ok(processorMilliseconds() - began < 4000)
})

test('opening a file reads headers only', async () => {
  const size = 50_000_000
  const head = Buffer.from(two.subarray(0, two.length - 4))
  const dataStart = two.length - 4 - (sectionsOf(two).get(7)?.length ?? 0)
  head.writeBigUInt64BE(BigInt(size), 8)
  head.writeUInt32BE(size - 4 - dataStart, dataStart)
  const source = countingSource(new Uint8Array(head), size, () => '7'.charCodeAt(0))
  const { fields } = await readFields(source, waves(source).beside.context)
  assert.equal(fields.length, 1)
  assert.ok(source.reads.reduce((sum, { length }) => sum + length, 0) < 5000)
})

test('a large file is walked from many places at once, and gives what one walk gives', async () => {
  // Long messages, whose data hold what looks like messages.
  const length = 1_000_000
  const head = Buffer.from(two.subarray(0, two.length - 4))
  const dataStart = head.length - (sectionsOf(two).get(7)?.length ?? 0)
  head.writeBigUInt64BE(BigInt(length), 8)
  head.writeUInt32BE(length - 4 - dataStart, dataStart)
  const long = Buffer.alloc(length)
  head.copy(long)
  for (let at = 300_000; at < length - 1000; at += 300_000) two.copy(long, at)
  long.write('7777', length - 4)
  const source = countingSource(new Uint8Array(Buffer.concat(Array.from({ length: 40 }, () => long))))
  let open = 0
  let most = 0
  const slow = {
    ...source,
    read: async (range: { readonly offset: number; readonly length: number }) => {
      most = Math.max(most, ++open)
      await new Promise(setImmediate)
      open--
      return source.read(range)
    },
  }
  const { fields, broken } = await readFields(slow, waves(source).beside.context)
  assert.equal(broken.size, 0)
  assert.deepEqual(
    fields.map(({ offset }) => offset),
    Array.from({ length: 40 }, (_, index) => index * length),
  )
  assert.ok(most >= 4, `${most} reads at once`)
})

test('messages with any bytes changed give a tree or a typed error, soon', async () => {
  const numbers = randoms(13)
  const below = (limit: number) => numbers.next().value % limit
  for (let round = 0; round < 400; round++) {
    const bytes = new Uint8Array(Buffer.concat([one, two, two]))
    for (let change = 0; change < 4; change++) bytes[below(bytes.length)] = below(256)
    const began = processorMilliseconds()
    await grib.parse(countingSource(bytes), parseContext().context).catch((error: unknown) => {
      assert.equal(error instanceof Error ? error.name : undefined, 'VirtualZarrError', String(error))
    })
    assert.ok(processorMilliseconds() - began < 2000)
  }
})

for (const edition of [1, 2]) {
  test(`IEEE numbers of edition ${edition} are served as they lie in the file, and others like them`, async () => {
    const { decodeField } = await import('../../../src/codecs/grib/field.ts')
    const own = message(`${edition} grid_ieee 8 bits, bitmap none`)
    const later = message(`${edition} grid_ieee 8 bits, bitmap some`)
    const passing = await dataOf(own)
    const ref = await asStored(passing).chunks.at([0, 0])
    assert.ok(ref.kind === 'range' && ref.length === 77 * 4)
    const codecs = [[{ name: 'bytes', configuration: { endian: 'big' } }]]
    assert.equal(JSON.stringify(asStored(passing).encodings.slice(0, 1)), JSON.stringify(codecs))
    const view = new DataView(own.buffer, own.byteOffset + ref.offset, ref.length)
    assert.deepEqual(
      Array.from({ length: 77 }, (_, i) => view.getFloat32(4 * i)),
      Array.from(await decodeField(own, 77, 32)),
    )
    const decoded = await dataOf(later)
    assert.equal(asStored(decoded).encodings.length, 1)
    assert.equal(asStored(decoded).encodings[0]?.[0]?.name, 'vz.grib')
  })
}

async function dataOf(bytes: Buffer) {
  const tree = await grib.parse(countingSource(new Uint8Array(bytes)), parseContext().context)
  assert.ok(tree.kind === 'group')
  const data = [...tree.members.values()].find(
    (member) => member.kind === 'array' && member.attributes.has('GRIB_name'),
  )
  assert.ok(data?.kind === 'array')
  return data
}

for (const [edition, cut] of [
  [1, one],
  [2, two],
] as const) {
  test(`GRIB ${edition}: a file that ends anywhere inside of a message names the last complete one`, async () => {
    for (const length of [1, 3, 4, 7, 8, 12, 16, 40, 100, cut.length - 4, cut.length - 1]) {
      const bytes = Buffer.concat([two, one, cut.subarray(0, length)])
      const { context, diagnostics } = parseContext()
      const root = await grib.parse(countingSource(new Uint8Array(bytes)), context)
      const found = diagnostics.filter(({ code }) => code === 'truncated-source')
      assert.equal(found.length, 1, `${length} bytes: ${JSON.stringify(diagnostics)}`)
      const ends = two.length + one.length
      assert.match(
        found[0]?.message ?? '',
        new RegExp(`begins at byte ${ends}.* complete one is message 2, which ends at byte ${ends}$`),
      )
      assert.equal(root.kind, 'group')
    }
  })
}

test('a message that is broken, or other bytes behind the last one, are no truncation', async () => {
  const broken = Buffer.from(two)
  broken.write('xxxx', broken.length - 4)
  for (const parts of [
    [one, two],
    [one, two, Buffer.alloc(50)],
    [one, broken, two],
    [one, broken],
  ]) {
    const { context, diagnostics } = parseContext()
    await grib.parse(countingSource(new Uint8Array(Buffer.concat(parts))), context)
    assert.deepEqual(
      diagnostics.filter(({ code }) => code === 'truncated-source'),
      [],
    )
  }
})
