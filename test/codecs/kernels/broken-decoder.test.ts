import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Coding } from '../../../src/compose/coding.ts'
import { oneChunkTask } from '../../../src/delivery/composed-chunk.ts'
import type { ComposeTask } from '../../../src/delivery/delivery.ts'
import { recodeWorkers } from '../../../src/delivery/recoding/workers.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { zeroOf } from '../../../src/model/data-type.ts'
import type { StoredCodec } from '../../../src/model/encoding.ts'
import { LITTLE } from '../codec-of.ts'
import { tiffVectors } from '../tiff/vectors.ts'

const workers = recodeWorkers({ threads: 1 })
after(() => workers.close())

const vectors = tiffVectors()

test('a decoder that breaks costs its own chunk: the thread is replaced, the next chunk is decoded', async () => {
  // Its decoder throws at what it can't read, and its memory is not used again.
  const broken = picture('jpegxl (35, 45, 3)')
  broken.stored[79] = (broken.stored[79] ?? 0) ^ 1
  await assert.rejects(workers.run(task(broken)), (error) => isVirtualZarrError(error, 'malformed-source'))
  for (const whole of [picture('jpegxl (35, 45, 3)'), jpeg2000()]) {
    const bytes = await workers.run(task(whole))
    assert.equal(bytes.length, 35 * 45 * 3)
  }
})

test('a damaged picture is refused in good order, and its thread goes on', async () => {
  const damaged = jpeg2000()
  damaged.stored.fill(0x55, 200, 260)
  for (const given of [damaged, jpeg2000(), damaged, jpeg2000()]) {
    const outcome = await workers.run(task(given)).then(
      (bytes) => bytes.length,
      (error: unknown) => (isVirtualZarrError(error) ? error.code : error),
    )
    if (given !== damaged) assert.equal(outcome, 35 * 45 * 3)
  }
})

interface Picture {
  readonly stored: Buffer<ArrayBuffer>
  readonly codec: StoredCodec
}

function jpeg2000(): Picture {
  return picture('jpeg2000 uint8 (35, 45, 3)')
}

function picture(name: string): Picture {
  const vector = vectors.find(({ id }) => id.startsWith(name))
  const [codec] = vector?.codecs ?? []
  assert.ok(vector !== undefined && codec !== undefined)
  return { stored: Buffer.from(vector.stored), codec }
}

function task({ stored, codec }: Picture): ComposeTask {
  const dataType = { kind: 'uint', bits: 8 } as const
  const shape = [35, 45, 3]
  const fillValue = zeroOf(dataType)
  const codingOf = (of: StoredCodec) => new Coding({ encoding: [of], layout: { shape, dataType }, fillValue })
  const chunk = { stored: new Uint8Array(stored), coding: codingOf(codec), storedShape: shape }
  return oneChunkTask(chunk, codingOf(LITTLE))
}
