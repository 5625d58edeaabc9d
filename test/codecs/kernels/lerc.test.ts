import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeLerc, lercHeader } from '../../../src/codecs/kernels/lerc.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { poisonChunkMemory } from '../../helpers/poisoned-memory.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { tiffVectors } from '../tiff/vectors.ts'

poisonChunkMemory()

// Blobs of test/codecs/tiff/vectors.test.ts, but those of bytes, which Esri's package may decode.
const blobs = tiffVectors()
  .filter(({ stored, dataType }) => stored[0] === 0x4c && !(dataType.kind === 'uint' && dataType.bits === 8))
  .map(({ id, stored, shape }) => ({ id, stored, samples: shape[2] ?? 1 }))

/** Fletcher's sum as the format takes it, of what follows it: a damage that a writer made has the right one. */
function summed(blob: Uint8Array): Uint8Array {
  const view = new DataView(blob.buffer)
  const end = lercHeader(blob).blobBytes
  let [sum1, sum2] = [0xffff, 0xffff]
  for (let at = 14; at < end; at += 2) {
    sum1 = (sum1 + view.getUint8(at) * 256 + (at + 1 < end ? view.getUint8(at + 1) : 0)) % 0xffff
    sum2 = (sum2 + sum1) % 0xffff
  }
  view.setUint32(10, (((sum2 || 0xffff) << 16) | (sum1 || 0xffff)) >>> 0, true)
  return blob
}

async function attempt(blob: Uint8Array, samples: number, what: string): Promise<void> {
  try {
    const { depth, bands } = await decodeLerc(blob, samples)
    assert.ok(depth * bands.length <= samples, what)
  } catch (error) {
    assert.ok(isVirtualZarrError(error, 'malformed-source'), `${what}: ${(error as Error).stack}`)
  }
}

test('a blob that is cut off, or changed where its checksum tells, is refused', async () => {
  assert.ok(blobs.length >= 9)
  for (const { id, stored, samples } of blobs) {
    for (const at of [20, 70, Math.floor(stored.length / 2), stored.length - 1]) {
      const changed = Uint8Array.from(stored)
      changed[at] = (changed[at] ?? 0) ^ 16
      for (const damaged of [changed, stored.subarray(0, at)]) {
        await assert.rejects(async () => await decodeLerc(damaged, samples), isVirtualZarrError, `${id} at ${at}`)
      }
    }
  }
})

test('a blob that was written damaged gives values of its size or a typed error', async () => {
  for (const { id, stored } of blobs) assert.deepEqual(summed(Uint8Array.from(stored)), stored, id)
  const began = processorMilliseconds()
  let random = 1
  const below = (most: number) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((random / 2 ** 32) * most)
  }
  for (let time = 0; time < 2000; time++) {
    const { id, stored, samples } = blobs[time % blobs.length] ?? { id: '', stored: new Uint8Array(0), samples: 1 }
    const changed = Uint8Array.from(stored)
    // Anything but size, length and type, which the caller has looked at.
    for (let count = 1 + below(3); count > 0; count--) {
      const at = [26 + below(8), 42 + below(60), 42 + below(changed.length - 42)][below(3)] ?? 26
      changed[at] = below(256)
    }
    await attempt(summed(changed), samples, `${id} changed for the ${time}th time`)
  }
  assert.ok(processorMilliseconds() - began < 30_000)
})
