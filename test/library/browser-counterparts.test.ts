import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as node from 'node:zlib'
import { formats as formatsInPages } from '../../src/browser/built-formats.ts'
import { inflatedParts } from '../../src/browser/inflated-parts.ts'
import { crc32 } from '../../src/browser/node/crc32.ts'
import { createHash as hashInPages } from '../../src/browser/node/crypto.ts'
import * as page from '../../src/browser/node/zlib.ts'
import { feedOf } from '../../src/bytes/feed.ts'
import { formats } from '../../src/formats/registry.ts'

const TEXT = Buffer.from('one, two, three; '.repeat(20_000))
const NOISE = createHash('sha256').update('noise').digest().toString('hex').repeat(500)
const CONTENTS = [Buffer.alloc(0), Buffer.from('x'), TEXT, Buffer.from(NOISE, 'hex')]

test('pages know the formats of this package, in the same order and by the same marks', () => {
  assert.deepEqual(
    formatsInPages.map(({ parse: _parse, ...mark }) => mark),
    // Pages keep no opened stores: who makes their indexes again is no mark.
    formats.map(({ parse: _parse, makers: _makers, ...mark }) => mark),
  )
})

test('what zlib and zstd wrote is inflated to the same bytes', () => {
  for (const content of CONTENTS) {
    assert.deepEqual(Buffer.from(page.inflateSync(node.deflateSync(content))), content)
    assert.deepEqual(Buffer.from(page.gunzipSync(node.gzipSync(content))), content)
    assert.deepEqual(Buffer.from(page.inflateRawSync(node.deflateRawSync(content))), content)
    assert.deepEqual(Buffer.from(page.zstdDecompressSync(node.zstdCompressSync(content))), content)
    const members = Buffer.concat([node.gzipSync(content), node.gzipSync(TEXT)])
    assert.deepEqual(Buffer.from(page.gunzipSync(members)), Buffer.concat([content, TEXT]))
  }
})

test('zlib and zstd read what pages write', () => {
  for (const content of [...CONTENTS, Buffer.alloc(131_072), Buffer.alloc(400_001, 7)]) {
    assert.deepEqual(node.zstdDecompressSync(page.zstdCompressSync(content)), content)
    assert.deepEqual(node.inflateSync(page.deflateSync(content)), content)
    assert.deepEqual(node.gunzipSync(page.gzipSync(content)), content)
  }
})

test('what is cut off, damaged or longer than allowed is refused as Node refuses it', () => {
  const pairs = [
    ['zlib', page.inflateSync, node.inflateSync, node.deflateSync(TEXT)],
    ['gzip', page.gunzipSync, node.gunzipSync, node.gzipSync(TEXT)],
    ['deflate', page.inflateRawSync, node.inflateRawSync, node.deflateRawSync(TEXT)],
  ] as const
  for (const [name, inPages, inNode, bytes] of pairs) {
    assert.throws(() => inPages(bytes.subarray(0, -6)), { code: 'Z_BUF_ERROR' }, name)
    assert.throws(() => inPages(bytes, { maxOutputLength: TEXT.length - 1 }), RangeError, name)
    assert.equal(inPages(bytes, { maxOutputLength: TEXT.length }).length, TEXT.length)
    for (let at = 0; at < bytes.length; at += 31) {
      const damaged = Uint8Array.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      const expected = outcome(() => inNode(damaged, { maxOutputLength: 2 ** 20 }))
      assert.deepEqual(
        outcome(() => inPages(damaged, { maxOutputLength: 2 ** 20 })),
        expected,
        `${name} at ${at}`,
      )
    }
  }
  const unfinished = node.deflateSync(TEXT).subarray(0, -6)
  const flush = { finishFlush: node.constants.Z_SYNC_FLUSH }
  assert.deepEqual(Buffer.from(page.inflateSync(unfinished, flush)), node.inflateSync(unfinished, flush))
})

function outcome(inflate: () => Uint8Array): string {
  try {
    return Buffer.from(inflate()).toString('base64')
  } catch {
    return 'refused'
  }
}

test('a bomb is left long before it is inflated', () => {
  const bomb = node.gzipSync(Buffer.alloc(2 ** 26))
  const before = process.cpuUsage().user
  assert.throws(() => page.gunzipSync(bomb, { maxOutputLength: 2 ** 20 }), RangeError)
  assert.ok(process.cpuUsage().user - before < 2_000_000)
})

test('files that are compressed as a whole come part by part, however their members are cut', async () => {
  const gzip = Buffer.concat([node.gzipSync(TEXT), node.gzipSync(NOISE)])
  assert.equal(await inflated(gzip, 'gzip'), TEXT.toString() + NOISE)
  assert.equal(await inflated(node.zstdCompressSync(TEXT), 'zstd'), TEXT.toString())
  await assert.rejects(inflated(gzip.subarray(0, -9), 'gzip'), /unexpected end/)
})

async function inflated(bytes: Uint8Array, coding: 'gzip' | 'zstd'): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of inflatedParts(feedOf(bytes), coding)) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('hashes and checksums are those of Node', () => {
  for (const content of CONTENTS) {
    assert.equal(crc32(content), node.crc32(content))
    const expected = createHash('sha256').update(content).digest('base64url')
    assert.equal(hashInPages('sha256').update(content).digest('base64url'), expected)
  }
})
