import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refsOfManifest } from '../../../src/formats/icechunk/chunk-refs.ts'
import { FlatBuffer } from '../../../src/formats/icechunk/flat-buffer.ts'
import { idText, NODE_ID_BYTES } from '../../../src/service/export/icechunk/files.ts'
import { FlatLayout, FlatWriter } from '../../../src/service/export/icechunk/flat-writer.ts'
import { manifestOf, type WrittenChunk } from '../../../src/service/export/icechunk/manifest.ts'
import { randoms } from '../../helpers/randoms.ts'
import { refsOf } from './build.ts'

const COUNT = 200_000
const NODE = Buffer.alloc(NODE_ID_BYTES, 7)
const PLACE = { url: 'https://data.example/' }

function* chunks(kind: 'native' | 'one file' | 'many files'): Generator<WrittenChunk> {
  const numbers = randoms(3)
  for (let at = 0; at < COUNT; at++) {
    const length = 10_000 + (numbers.next().value % 5000)
    const id = Buffer.alloc(12)
    for (const place of [0, 4, 8]) id.writeUInt32BE(numbers.next().value >>> 0, place)
    if (kind === 'native') yield { kind, id, length }
    else {
      const file = kind === 'one file' ? 'data' : `day-${Math.floor(at / 100)}`
      yield {
        kind: 'virtual',
        location: `s3://some-bucket/a/folder/${file}.nc`,
        offset: at * 20_000,
        length,
        condition: { etag: '"abcdef0123456789"' },
      }
    }
  }
}

for (const kind of ['native', 'one file', 'many files'] as const) {
  test(`${kind}: a reference takes at most 40 bytes, and leads where it should`, async () => {
    const { content } = manifestOf(NODE, refsOf(chunks(kind)))
    const start = process.cpuUsage()
    const found = await refsOfManifest(new FlatBuffer(content, PLACE), new Map([[idText(NODE), [COUNT]]]), PLACE)
    const { user } = process.cpuUsage(start)
    const table = found.arrays.get(idText(NODE))
    assert.equal(table?.count, COUNT)
    assert.ok(table?.isComplete)
    assert.ok(found.weight / COUNT <= 40, `${found.weight / COUNT} bytes a reference`)
    console.log(
      `${kind}: ${(found.weight / COUNT).toFixed(1)} bytes a reference, ${((user / COUNT) * 1000).toFixed(0)} ns of processor time each`,
    )
  })
}

test('lists of references that stand within each other are refused', async () => {
  // One array, a thousand times: each list is as long as the file could hold, and all are the same.
  const writer = new FlatWriter('Ichk')
  const [manifestLayout, arrayLayout] = [new FlatLayout([12, 4]), new FlatLayout([NODE_ID_BYTES, 4])]
  const manifest = writer.table(manifestLayout)
  const list = writer.vector(manifest + (manifestLayout.places[1] ?? 0), 1000, 4)
  const array = writer.table(arrayLayout)
  for (let index = 0; index < 1000; index++) writer.link(list + index * 4, array)
  writer.bytes(array + (arrayLayout.places[0] ?? 0), NODE)
  writer.vector(array + (arrayLayout.places[1] ?? 0), 100_000, 4)
  const content = new FlatBuffer(writer.finished(), PLACE)
  await assert.rejects(refsOfManifest(content, new Map([[idText(NODE), [10]]]), PLACE), { code: 'malformed-source' })
})
