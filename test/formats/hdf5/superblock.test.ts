import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { hdf5 } from '../../../src/formats/hdf5/index.ts'
import { FIXTURES, parseBytes } from './parse.ts'

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
