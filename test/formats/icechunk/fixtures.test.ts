import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import { hashOf } from '../../corpus/values.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { filesBelow, type TestStores, testStores } from '../../helpers/test-stores.ts'
import { FIXTURES, goldenRefs } from './golden.ts'

const VIRTUAL = ['chunks/many', 'chunks/virtual']

describe('repositories of both formats are read as Icechunk reads them', () => {
  let stores: TestStores
  before(() => {
    stores = testStores(filesBelow(FIXTURES))
  })
  after(() => stores.close())

  const open = (format: number | string, ref?: string) =>
    stores.open(
      `${FIXTURES.href}${typeof format === 'number' ? `format-${format}` : format}/`,
      ref === undefined ? {} : { ref },
    )

  for (const format of [1, 2] as const) {
    for (const { ref, snapshot, arrays } of goldenRefs(format)) {
      test(`format ${format}, ${ref}: all arrays and no others, with their values`, async () => {
        const store = open(format, ref)
        const { parsed, store: made } = await store.describe()
        assert.equal(parsed.version, snapshot)
        const served = [...made.nodes].filter(([, { kind }]) => kind !== 'group').map(([path]) => path)
        assert.deepEqual(served.sort(), [...arrays.keys(), ...VIRTUAL].sort())
        for (const [path, hash] of arrays) assert.equal(hashOf(await store.values(path)), hash, path)
      })
    }

    test(`format ${format}: the branch main is what is read when nothing is named, a snapshot by its id`, async () => {
      const main = goldenRefs(format).find(({ ref }) => ref === 'main')?.snapshot
      assert.equal((await open(format).describe()).parsed.version, main)
      const first = goldenRefs(format).find(({ ref }) => ref === 'first')?.snapshot
      assert.equal((await open(format, first).describe()).parsed.version, first)
    })

    test(`format ${format}: names with blanks and other letters are found, deleted and unknown ones are not`, async () => {
      const named = open(format, format === 1 ? 'a tag with ü' : 'a tag/with ü')
      assert.equal(
        (await named.describe()).parsed.version,
        goldenRefs(format).find(({ ref }) => ref === 'first')?.snapshot,
      )
      for (const ref of ['gone', 'nowhere', '0123456789ABCDEFGHJK', '..']) {
        await assert.rejects(open(format, ref).describe(), { code: 'source-not-found' }, ref)
      }
    })

    test(`format ${format}: virtual chunks lead to the version of the file that they were made of`, async () => {
      const { parsed, store } = await open(format).describe()
      const target = async (path: string, at: number) => {
        const node = store.nodes.get(path)
        assert.ok(node?.kind === 'array')
        const ref: ChunkRef = await asStored(node.array).chunks.at([at])
        assert.ok(ref.kind === 'range')
        return [parsed.references[ref.source], ref.offset, ref.length, parsed.conditions.get(ref.source)]
      }
      const some = 'https://data.example/some/'
      assert.deepEqual(await target('chunks/virtual', 0), [`${some}a%20file.bin`, 100, 8, undefined])
      assert.deepEqual(await target('chunks/virtual', 1), [`${some}a%20file.bin`, 100, 8, { etag: '"strong"' }])
      const date = Date.UTC(2024, 4, 6, 7, 8, 9) / 1000
      assert.deepEqual(await target('chunks/virtual', 2), [`${some}b.bin`, 2 ** 40, 8, { unmodifiedSince: date }])
      // In format 2 these are compressed with a dictionary, and every other one is a path below a container.
      for (const at of [0, 1, 39]) {
        const name = `${some}day-${String(at).padStart(3, '0')}.bin`
        assert.deepEqual(await target('chunks/many', at), [name, at, 1, undefined])
      }
    })
  }

  test('a repository without a commit is an empty group', async () => {
    const { parsed, store } = await open('empty').describe()
    assert.equal(parsed.version, '1CECHNKREP0F1RSTCMT0')
    assert.deepEqual([...store.nodes.keys()], [''])
  })

  test('the option ref is refused where there are no versions', async () => {
    const zarr = new URL('../../fixtures/zarr/', import.meta.url)
    const others = testStores(filesBelow(zarr))
    await assert.rejects(others.open(`${zarr.href}v3.zarr/`, { ref: 'main' }).describe(), { code: 'invalid-request' })
    await others.close()
  })
})
