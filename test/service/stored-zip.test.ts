import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endOf } from '../../src/bytes/byte-range.ts'
import { feedOf } from '../../src/bytes/feed.ts'
import { membersOf, readZipDirectory } from '../../src/formats/zarr/zip-directory.ts'
import { readMember } from '../../src/formats/zarr/zip-member.ts'
import { storedZip } from '../../src/service/export/stored-zip.ts'
import type { Source } from '../../src/source/source.ts'

const MIB = 2 ** 20

// test/interop/archives.test.ts has Python read the same; this is the reader of Zarr in zip files.
describe('an archive of an export is read back', () => {
  it('when it is beyond 4 GiB, behind which members have 64-bit positions', async () => {
    const large = new Uint8Array(512 * MIB)
    const names = ['first', ...Array.from({ length: 9 }, (_, index) => `large/${index}`), 'behind/ä', 'last']
    const source = await archive(names.map((name) => [name, name.startsWith('large') ? large : Buffer.from(name)]))
    assert.ok(source.size > 4.5 * 2 ** 30)
    const members = await readMembers(source)
    assert.deepEqual([...members.keys()], names)
    for (const name of ['first', 'behind/ä', 'last']) assert.equal(members.get(name), name)
  })

  it('when it has more than 65,535 members', async () => {
    const names = Array.from({ length: 70_000 }, (_, index) => `m/${index}`)
    const source = await archive(names.map((name) => [name, Buffer.from(name)]))
    const directory = await readZipDirectory(source, {})
    assert.equal(directory.count, names.length)
    assert.deepEqual(
      Array.from(
        membersOf(directory, () => true),
        ({ name }) => name,
      ),
      names,
    )
  })

  it('when it is empty', async () => {
    assert.equal((await readMembers(await archive([]))).size, 0)
  })
})

async function readMembers(source: Source): Promise<ReadonlyMap<string, string | undefined>> {
  const directory = await readZipDirectory(source, {})
  const members = new Map<string, string | undefined>()
  for (const member of membersOf(directory, () => true)) {
    const isSmall = member.size < MIB
    const bytes = isSmall ? await readMember(source, directory, member, {}) : undefined
    members.set(member.name, bytes && Buffer.from(bytes).toString())
  }
  return members
}

/** The archive as a source whose large pieces are held once. */
async function archive(files: readonly (readonly [string, Uint8Array])[]): Promise<Source> {
  const pieces: { readonly offset: number; readonly bytes: Uint8Array }[] = []
  let size = 0
  for await (const bytes of storedZip(each(files))) {
    pieces.push({ offset: size, bytes })
    size += bytes.length
  }
  const read: Source['read'] = async (range) => {
    const answer = new Uint8Array(range.length)
    for (const { offset, bytes } of pieces) {
      const from = Math.max(range.offset, offset)
      const to = Math.min(endOf(range), offset + bytes.length)
      if (from < to) answer.set(bytes.subarray(from - offset, to - offset), from - range.offset)
    }
    return answer
  }
  return { url: 'memory:archive', size, validator: '"1"', read, feed: async (range) => feedOf(await read(range)) }
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}
