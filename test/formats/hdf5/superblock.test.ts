import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { hdf5 } from '../../../src/formats/hdf5/index.ts'
import { formatOf } from '../../../src/service/format-of.ts'
import { arrayAt } from '../../helpers/members.ts'
import { countingSource } from './counting-source.ts'
import { FIXTURES, parseBytes } from './parse.ts'
import { hashOf, readArray } from './read-array.ts'

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(name, FIXTURES)))

test('a file is known by its signature, behind a user block too', () => {
  const url = new URL('memory:/file')
  for (const name of ['old.h5', 'new.h5', 'user_block.h5']) {
    assert.equal(hdf5.recognises(fixture(name).subarray(0, 4096), url), true, name)
  }
  assert.equal(hdf5.recognises(new Uint8Array(4096), url), false)
  assert.equal(hdf5.recognises(new Uint8Array(0), url), false)
  assert.equal(hdf5.recognises(Uint8Array.of(0x89, 0x48, 0x44, 0x46), url), false)
})

/** A file behind so many bytes of something else: addresses count from where it begins. */
function behind(length: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.alloc(length, 'user block '), bytes])
}

test('a file is found behind a user block of any power of two from 512 bytes on', async () => {
  for (const name of ['old.h5', 'new.h5']) {
    const { root } = await parseBytes(fixture(name))
    for (const length of [512, 4096, 32_768, 65_536, 2 ** 20, 2 ** 21]) {
      const moved = await parseBytes(behind(length, fixture(name)))
      assert.deepEqual([...moved.root.members.keys()], [...root.members.keys()], `${name} behind ${length} bytes`)
      assert.equal(
        hashOf(await readArray(arrayAt(moved.root, 'a'), moved.source)),
        hashOf(await readArray(arrayAt(root, 'a'), countingSource(fixture(name)))),
      )
    }
    await assert.rejects(parseBytes(behind(1000, fixture(name))), /no HDF5 signature/)
  }
})

test('a file whose user block was taken off counts from where it begins now', async () => {
  const bytes = fixture('user_block.h5')
  const { root, source } = await parseBytes(bytes.subarray(1024))
  const whole = await parseBytes(bytes)
  for (const path of ['a', 'c', 's']) {
    const values = await readArray(arrayAt(root, path), source)
    assert.equal(hashOf(values), hashOf(await readArray(arrayAt(whole.root, path), whole.source)), path)
  }
  await assert.rejects(parseBytes(bytes.subarray(1024, bytes.length - 1)), /cut off/)
})

test('looking for a signature further on is a few small reads, and none where opening brought them along', async () => {
  const signal = AbortSignal.timeout(10_000)
  const found = countingSource(behind(2 ** 20, fixture('new.h5')))
  assert.equal((await formatOf(found, undefined, signal)).name, 'hdf5')
  const foreign = countingSource(behind(2 ** 22, new Uint8Array(0)))
  await assert.rejects(formatOf(foreign, undefined, signal), (error) => isVirtualZarrError(error, 'unknown-format'))
  const further = foreign.reads.filter(({ offset }) => offset >= 65_536)
  assert.ok(further.length <= 7 && further.every(({ length }) => length === 8), JSON.stringify(further))
  assert.ok(foreign.rounds() <= 6, `${foreign.rounds()} rounds`)
  const known = countingSource(fixture('new.h5'))
  await formatOf(known, undefined, signal)
  assert.equal(known.reads.length, 1)
})

test('a file that is shorter than its superblock says is refused', async () => {
  for (const name of ['old.h5', 'new.h5', 'user_block.h5']) {
    const bytes = fixture(name)
    await assert.rejects(parseBytes(bytes.subarray(0, bytes.length - 1)), /cut off/, name)
  }
})

test('bytes behind the end that the superblock tells do not matter', async () => {
  const { root } = await parseBytes(Buffer.concat([fixture('old.h5'), new Uint8Array(100).fill(7)]))
  assert.ok(root.members.size > 0)
})

test('a wrong checksum, version or address size is malformed', async () => {
  for (const [at, value] of [
    [8, 9],
    [44, 0xff],
    [9, 3],
  ] as const) {
    const bytes = fixture('new.h5')
    bytes[at] = value
    await assert.rejects(parseBytes(bytes), (error) => isVirtualZarrError(error, 'malformed-source'))
  }
})

test('a file of several, by its driver, is unsupported', async () => {
  const bytes = fixture('old.h5')
  // The address of the driver information block (superblock version 0).
  bytes.fill(0, 48, 56)
  await assert.rejects(parseBytes(bytes), (error) => isVirtualZarrError(error, 'unsupported-feature'))
})

/** Of `free_space.h5`: the file space info message of its superblock extension, which has no checksum. */
const MESSAGE = 64
const BODY = 72

function patched(...changes: readonly (readonly [number, readonly number[]])[]): Uint8Array {
  const bytes = fixture('free_space.h5')
  for (const [at, values] of changes) bytes.set(values, at)
  return bytes
}

/** The header of 40 bytes, with a message of 32. */
const CUT = [
  [56, [0x28]],
  [66, [0x20]],
] as const
const UNKNOWN = [68, [0x34]] as const

test('how free space is kept does not matter, what says so must be whole as the library wants it (CVE-2020-10810)', async () => {
  const read = [patched(), patched([BODY, [0, 2]]), patched([BODY + 1, [9]]), patched(...CUT, UNKNOWN)]
  for (const bytes of read) assert.deepEqual([...(await parseBytes(bytes)).root.members.keys()], ['b'])
  const refused = {
    'another version': patched([BODY, [7]]),
    'no strategy': patched([BODY, [0, 0]]),
    'an old strategy that is none': patched([BODY, [0, 9]]),
    'pages of no bytes': patched([BODY + 11, [0, 0]]),
    'pages that are too small': patched([BODY + 11, [0xff, 1]]),
    'pages that are too large': patched([BODY + 11, [1, 0, 0, 0x40]]),
    'a message that is too short': patched(...CUT),
  }
  for (const [what, bytes] of Object.entries(refused))
    await assert.rejects(parseBytes(bytes), (error) => isVirtualZarrError(error, 'malformed-source'), what)
})

test('a file that keeps its free space is refused when it is cut off behind its data, as the library does', async () => {
  const bytes = fixture('free_space.h5')
  for (const length of [bytes.length - 1, 2400]) await assert.rejects(parseBytes(bytes.subarray(0, length)), /cut off/)
})

test('a metadata cache image is newer than what it is of: such a file is not served from that', async () => {
  const isUnsupported = (error: unknown) => isVirtualZarrError(error, 'unsupported-feature')
  await assert.rejects(parseBytes(fixture('cache_image.h5')), isUnsupported)
  const image = (address: readonly number[], length: readonly number[]) =>
    patched([MESSAGE, [0x18]], [BODY, [0, ...address, ...length]])
  const none = new Array<number>(7).fill(0)
  const outside = {
    'address and length (CVE-2020-10812)': image([0, 1, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0x10, 0, 0, 0, 0]),
    'the end': image([0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0]),
    'an undefined address': image(new Array<number>(8).fill(0xff), [0, ...none]),
  }
  for (const [what, bytes] of Object.entries(outside))
    await assert.rejects(parseBytes(bytes), (error) => isVirtualZarrError(error, 'malformed-source'), what)
})
