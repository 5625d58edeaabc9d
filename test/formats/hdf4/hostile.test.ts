import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { isVirtualZarrError, VirtualZarrError } from '../../../src/errors.ts'
import { elementCount } from '../../../src/model/shape.ts'
import type { Member, VirtualArray, VirtualGroup } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { damaged } from '../../fuzz/damaged.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { randoms } from '../../helpers/randoms.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { dataSet, hdf4File, type TestElement, u16, u32, vdata, vgroup } from './build.ts'
import { fixture, memberAt, parse } from './parse.ts'

/** GUARD-6. */
const MOST_MILLISECONDS = 2000
const MOST_ELEMENTS = 1_000_000
const LINKS = [
  [1965, 200],
  [702, 9],
  [106, 1],
] as const
const u8 = (length: number) => new Uint8Array(length)
const PLAIN = Uint8Array.from([0, 1, 0, 2, 0, 3, 0, 4])

describe('hostile HDF4', () => {
  test('a list of descriptor blocks that comes back to itself is refused', async () => {
    const file = hdf4File([], 4)
    await assert.rejects(parse(file), isMalformed)
  })

  test('a block that announces more descriptors than the file has bytes is refused', async () => {
    await assert.rejects(parse(hdf4File([], 0, 60_000)), isMalformed)
  })

  test('an element behind the end of the file costs what it describes', async () => {
    const data: TestElement = { tag: 702, ref: 9, bytes: PLAIN, offset: 2 ** 31, length: 8 }
    const { root } = await parse(hdf4File(dataSet([2, 2], data)))
    const array = arrayOf(root, 'data')
    await assert.rejects(async () => asStored(array).chunks.at([0, 0]), isMalformed)
  })

  test('lengths of dimensions beyond all numbers are refused', async () => {
    const { root } = await parse(hdf4File(dataSet([4_000_000_000, 4_000_000_000], { tag: 702, ref: 9, bytes: PLAIN })))
    assert.equal(memberAt(root, 'data').kind, 'skipped')
  })

  test('tables of linked blocks that name themselves are refused', async () => {
    const header = Uint8Array.from([...u16(1), ...u32(800_000), ...u32(4), ...u32(2), ...u16(7)])
    const table: TestElement = { tag: 20, ref: 7, bytes: Uint8Array.from([...u16(7), ...u16(0), ...u16(0)]) }
    const { root } = await parse(hdf4File([...dataSet([2, 2], { tag: 702 | 0x4000, ref: 9, bytes: header }), table]))
    const member = memberAt(root, 'data')
    assert.ok(member.kind === 'skipped')
    assert.match(member.reason, /have no end/)
  })

  test('a name of another file that leads out of the folder is refused', async () => {
    const name = Buffer.from('../../etc/passwd')
    const header = Uint8Array.from([...u16(2), ...u32(8), ...u32(0), ...u32(name.length), ...name])
    const { root } = await parse(hdf4File(dataSet([2, 2], { tag: 702 | 0x4000, ref: 9, bytes: header })))
    const member = memberAt(root, 'data')
    assert.ok(member.kind === 'skipped')
    assert.match(member.reason, /outside of the source's folder/)
  })

  test('vgroups that hold each other are shown once each', async () => {
    const { root } = await parse(
      hdf4File([
        vgroup(1, 'one', '', [
          [1965, 2],
          [1965, 1],
        ]),
        vgroup(2, 'two', '', [[1965, 1]]),
      ]),
    )
    assert.deepEqual(namesIn(root), ['one', 'one/two'])
  })

  test('thousands of groups that all hold all tables are bounded', async () => {
    const fields = [{ name: 'a', type: 24, bytes: 4, order: 1 }]
    const tables = Array.from({ length: 300 }, (_, i) => vdata(1000 + i, `t${i}`, '', 0, fields))
    const links = tables.map(({ ref }) => [1962, ref] as const)
    const groups = Array.from({ length: 300 }, (_, i) => vgroup(1 + i, `g${i}`, '', links))
    const began = processorMilliseconds()
    await parse(hdf4File([...groups, ...tables]))
    assert.ok(processorMilliseconds() - began < MOST_MILLISECONDS)
  })

  test('thousands of vgroups that lie on each other, each of thousands of members, are refused', async () => {
    const whole = vgroup(
      1,
      'all',
      '',
      Array.from({ length: 60_000 }, () => [1965, 1] as const),
    )
    const start = 4 + 6 + 12 * 20_000
    const others = Array.from({ length: 19_999 }, (_, i) => ({
      tag: 1965,
      ref: 2 + i,
      bytes: new Uint8Array(0),
      offset: start,
      length: whole.bytes.length,
    }))
    const began = processorMilliseconds()
    await assert.rejects(parse(hdf4File([whole, ...others])), (error) => isVirtualZarrError(error, 'limit-exceeded'))
    assert.ok(processorMilliseconds() - began < MOST_MILLISECONDS)
  })

  test('a variable that its file names ten thousand times is one array', async () => {
    const elements = dataSet([2, 2], { tag: 702, ref: 9, bytes: PLAIN })
    const links = Array.from({ length: 10_000 }, () => [1965, 300] as const)
    const again = elements.map((element) => (element.ref === 301 ? vgroup(301, 'file', 'CDF0.0', links) : element))
    const { root } = await parse(hdf4File(again))
    assert.deepEqual([...root.members.keys()], ['data'])
  })

  test('a thousand data sets that share a table of fifty thousand linked blocks are refused', async () => {
    const header = Uint8Array.from([...u16(1), ...u32(100_000), ...u32(2), ...u32(50_000), ...u16(7)])
    const [first, ...rest] = dataSet([50_000], { tag: 702 | 0x4000, ref: 9, bytes: header })
    const variables = Array.from({ length: 999 }, (_, i) => vgroup(1000 + i, `d${i}`, 'Var0.0', LINKS))
    const links = [300, ...variables.map(({ ref }) => ref)].map((ref) => [1965, ref] as const)
    const file = vgroup(301, 'file', 'CDF0.0', [[1965, 200], ...links])
    // Each block is the one before.
    const table = {
      tag: 20,
      ref: 7,
      bytes: Uint8Array.from([...u16(0), ...Array.from({ length: 50_000 }, () => u16(8)).flat()]),
    }
    const others = rest.filter(({ ref }) => ref !== 301)
    assert.ok(first)
    const bytes = hdf4File([first, ...others, ...variables, file, table, { tag: 20, ref: 8, bytes: u8(2) }])
    const began = processorMilliseconds()
    await assert.rejects(parse(bytes), (error) => isVirtualZarrError(error, 'limit-exceeded'))
    assert.ok(processorMilliseconds() - began < MOST_MILLISECONDS)
  })

  test('a table whose fields reach out of its records, or that has more of them than bytes, is refused', async () => {
    const fields = [{ name: 'a', type: 24, bytes: 4, order: 1 }]
    const { root } = await parse(
      hdf4File([vdata(5, 'long', '', 4_000_000_000, fields), { tag: 1963, ref: 5, bytes: PLAIN }]),
    )
    assert.equal(memberAt(root, 'long/a').kind, 'skipped')
  })

  test('deeply nested ODL, and ODL of brackets that never close, are read in bounded time', async () => {
    for (const text of ['GROUP=a\n'.repeat(100_000), `a=(${'1,\n'.repeat(200_000)}`]) {
      const attribute = vdata(50, 'StructMetadata.0', 'Attr0.0', 1, [
        { name: 'VALUES', type: 4, bytes: 65_535, order: 65_535 },
      ])
      const content: TestElement = { tag: 1963, ref: 50, bytes: Buffer.from(text.slice(0, 65_535)) }
      const began = processorMilliseconds()
      await parse(hdf4File([attribute, content, vgroup(301, 'file', 'CDF0.0', [[1962, 50]])]))
      assert.ok(processorMilliseconds() - began < MOST_MILLISECONDS)
    }
  })

  for (const name of ['attributes.hdf', 'pieces.hdf', 'images.hdf', 'tables.hdf', 'eos.hdf', 'compressed.hdf']) {
    const whole = fixture(name)

    test(`${name} cut off anywhere is served as far as it goes, or refused`, async () => {
      for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 20)) {
        await survive(whole.subarray(0, length), `${name} cut at ${length}`)
      }
    })

    test(`${name} with any bytes changed is served or refused`, async () => {
      for (let round = 0; round < 40; round++) await survive(damaged(whole, randoms(round)), `${name} round ${round}`)
    })
  }
})

function isMalformed(error: unknown): boolean {
  return isVirtualZarrError(error, 'malformed-source')
}

function arrayOf(root: VirtualGroup, path: string): VirtualArray {
  const member = memberAt(root, path)
  assert.ok(member.kind === 'array')
  return member
}

function namesIn(group: VirtualGroup, prefix = ''): string[] {
  return [...group.members].flatMap(([name, member]) => [
    prefix + name,
    ...(member.kind === 'group' ? namesIn(member, `${prefix}${name}/`) : []),
  ])
}

/** Parses, and decodes the first and the last chunk of everything; only our own errors may come out. */
async function survive(bytes: Uint8Array, what: string): Promise<void> {
  const began = processorMilliseconds()
  const parsed = await ours(parse(bytes), what)
  if (parsed !== undefined) await readAll(parsed.root, parsed.source, what)
  const took = processorMilliseconds() - began
  assert.ok(took < MOST_MILLISECONDS, `${what} took ${took} ms`)
}

async function readAll(member: Member, source: Source, what: string): Promise<void> {
  if (member.kind === 'group') for (const inner of member.members.values()) await readAll(inner, source, what)
  if (member.kind !== 'array') return
  const { shape, chunkShape, chunks } = asStored(member)
  assert.ok(chunkShape.every((length) => Number.isSafeInteger(length) && length > 0))
  assert.ok(shape.every((length) => Number.isSafeInteger(length) && length >= 0))
  if (chunks.gridShape.includes(0) || elementCount(chunkShape) > MOST_ELEMENTS) return
  const last = chunks.gridShape.map((length) => length - 1)
  for (const coords of [shape.map(() => 0), last]) await ours(readChunk(member, coords, source), what)
}

async function readChunk(array: VirtualArray, coords: readonly number[], source: Source): Promise<void> {
  const ref = await asStored(array).chunks.at(coords)
  if (ref.kind !== 'range' && ref.kind !== 'inline') return
  if (ref.kind === 'range' && ref.source !== 0) return
  const stored = ref.kind === 'inline' ? ref.bytes : await source.read(ref)
  const encoding = asStored(array).encodings[ref.encoding]
  assert.ok(encoding)
  const shape = array.chunkShape.map((length, axis) =>
    asStored(array).edges === 'padded'
      ? length
      : Math.min(length, (array.shape[axis] ?? 0) - (coords[axis] ?? 0) * length),
  )
  await decodeChunk(stored, encoding, { shape, dataType: array.dataType }, { limit: 2 ** 26 })
}

async function ours<Value>(promise: Promise<Value>, what: string): Promise<Value | undefined> {
  try {
    return await promise
  } catch (error) {
    assert.ok(error instanceof VirtualZarrError, `${what}: ${error instanceof Error ? error.stack : String(error)}`)
    return undefined
  }
}
