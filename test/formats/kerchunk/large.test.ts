import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStored } from '../../helpers/stored-array.ts'
import { parseReferences, zarray } from './parse.ts'

test('members may lie across the windows a document is read in', async () => {
  const refs: Record<string, unknown> = { '.zarray': zarray([4000], [1], { dtype: '|u1' }) }
  for (let i = 0; i < 4000; i++) {
    const size = (i * 7919) % 3000
    refs[i] =
      i % 3 === 0
        ? [`dir/file_${i % 50}.nc`, i * 1e9, size + 1]
        : `base64:${Buffer.alloc(size + 1, i).toString('base64')}`
  }
  const text = JSON.stringify({ version: 1, refs }, null, 1)
  assert.ok(text.length > 4e6)
  const { chunk } = await parseReferences(text)
  for (let i = 0; i < 4000; i++) {
    const ref = await chunk('', i)
    const size = ((i * 7919) % 3000) + 1
    if (i % 3 === 0)
      assert.partialDeepStrictEqual(ref, {
        url: `https://example.com/data/dir/file_${i % 50}.nc`,
        offset: i * 1e9,
        length: size,
      })
    else assert.deepEqual(ref, { kind: 'inline', bytes: new Uint8Array(size).fill(i), encoding: 0 })
  }
})

test('inline chunks beyond what is kept are read again from the document', async () => {
  const refs: Record<string, unknown> = { '.zarray': zarray([80], [1], { dtype: '|u1' }) }
  for (let i = 0; i < 80; i++) refs[i] = `base64:${Buffer.alloc(500_000, i).toString('base64')}`
  const { chunk, array } = await parseReferences({ version: 1, refs })
  assert.ok(asStored(array('')).chunks.weight() < 34e6)
  for (const i of [0, 30, 79]) {
    const ref = await chunk('', i)
    assert.ok(ref.kind === 'inline' && Buffer.alloc(500_000, i).equals(ref.bytes), `chunk ${i}`)
  }
})

test('a reference takes less than 40 bytes, whether files are few or each is named once', async (t) => {
  const count = 100_000
  const side = 1000
  for (const files of [1, 500, count]) {
    const head = `{"version":1,"refs":{".zarray":${JSON.stringify(zarray([count / side, side], [1, 1]))}`
    const parts = [head]
    for (let i = 0; i < count; i++) {
      const url = `https://example.org/archive/2024/some_product_${String(i % files).padStart(9, '0')}_v1.nc`
      parts.push(`,"${Math.floor(i / side)}.${i % side}":["${url}",${i * 7 + 5e9},${1000 + (i % 77)}]`)
    }
    const document = Buffer.from(`${parts.join('')}}}`)
    parts.length = 0
    const { array, chunk } = await parseReferences(document)
    const bytes = asStored(array('')).chunks.weight() / count
    t.diagnostic(`${files} files: ${bytes.toFixed(1)} bytes a reference`)
    assert.ok(bytes < 40)
    const i = 23_456
    const url = `https://example.org/archive/2024/some_product_${String(i % files).padStart(9, '0')}_v1.nc`
    assert.partialDeepStrictEqual(await chunk('', 23, 456), { url, offset: i * 7 + 5e9, length: 1000 + (i % 77) })
    assert.equal(await asStored(array('')).chunks.isComplete?.(), true)
  }
})
