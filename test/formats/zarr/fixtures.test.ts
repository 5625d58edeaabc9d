import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { checkStore, gridOf, readGolden, storeFrom } from './golden.ts'
import { arrayAt, leaves, type MemoryStore } from './memory-store.ts'

const FIXTURES = new URL('../../fixtures/zarr/', import.meta.url)

test('every fixture has the structure that zarr-python reads', async (t) => {
  for (const [name, golden] of readGolden(FIXTURES)) await t.test(name, () => checkStore(FIXTURES, name, golden))
})

for (const [archive, folder, prefix] of [
  ['v2_deflated.zip', 'v2.zarr', ''],
  ['v3_stored.zip', 'v3.zarr', ''],
  ['in_a_folder.zip', 'xarray_v2.zarr', 'data.zarr/'],
] as const) {
  test(`the chunks of ${archive} are the objects of ${folder}`, async () => {
    const zipped = storeFrom(FIXTURES, archive)
    const plain = storeFrom(FIXTURES, folder)
    const zippedRoot = await zipped.store.open(zipped.key)
    const root = await plain.store.open(plain.key)
    let chunks = 0
    for (const path of leaves(root)) {
      const array = arrayAt(root, path)
      const inZip = arrayAt(zippedRoot, prefix + path)
      for (const coords of gridOf(array)) {
        const expected = objectOf(await asStored(array).chunks.at(coords), plain.store)
        const found = memberOf(await asStored(inZip).chunks.at(coords), inZip, zipped.store)
        assert.deepEqual(found && Buffer.from(found), expected && Buffer.from(expected), `${path} ${coords}`)
        if (found !== undefined) chunks++
      }
    }
    assert.ok(chunks >= 3)
  })
}

function objectOf(ref: ChunkRef, store: MemoryStore): Uint8Array | undefined {
  assert.ok(ref.kind === 'object')
  return store.files.get(decodeURIComponent(`${store.references[ref.source]}${ref.key}`.slice(store.url.length)))
}

function memberOf(ref: ChunkRef, array: VirtualArray, store: MemoryStore): Uint8Array | undefined {
  if (ref.kind === 'missing') return undefined
  assert.ok(ref.kind === 'range')
  const [zip] = store.files.values()
  const bytes = zip?.subarray(ref.offset, ref.offset + ref.length) ?? new Uint8Array()
  return asStored(array).encodings[ref.encoding]?.at(-1)?.name === 'vz.deflate-raw' ? inflateRawSync(bytes) : bytes
}
