import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { tiffJpeg2000 } from '../../../src/codecs/tiff/jpeg2000.ts'
import { Coding } from '../../../src/delivery/coding.ts'
import type { AssembleTask } from '../../../src/delivery/delivery.ts'
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
  // OpenJPEG throws at four components instead of refusing them.
  await assert.rejects(workers.run(task(fourComponents())), (error) => isVirtualZarrError(error, 'malformed-source'))
  for (const picture of [whole(), whole()]) {
    const bytes = await workers.run(task(picture))
    assert.equal(bytes.length, 35 * 45 * 3)
  }
})

test('a damaged picture is refused in good order, and its thread goes on', async () => {
  const damaged = whole()
  damaged.stored.fill(0x55, 200, 260)
  for (const picture of [damaged, whole(), damaged, whole()]) {
    const outcome = await workers.run(task(picture)).then(
      (bytes) => bytes.length,
      (error: unknown) => (isVirtualZarrError(error) ? error.code : error),
    )
    if (picture !== damaged) assert.equal(outcome, 35 * 45 * 3)
  }
})

interface Picture {
  readonly stored: Buffer<ArrayBuffer>
  readonly samples: number
}

function whole(): Picture {
  const vector = vectors.find(({ id }) => id.startsWith('jpeg2000 uint8 (35, 45, 3)'))
  assert.ok(vector !== undefined)
  return { stored: Buffer.from(vector.stored), samples: 3 }
}

/** The picture, with a header that says four components. */
function fourComponents(): Picture {
  const { stored } = whole()
  const header = Buffer.concat([stored.subarray(0, 51), Buffer.of(7, 1, 1), stored.subarray(51)])
  header.writeUInt16BE(header.readUInt16BE(4) + 3, 4)
  header.writeUInt16BE(4, 40)
  return { stored: Buffer.from(new Uint8Array(header)), samples: 4 }
}

function task({ stored, samples }: Picture): AssembleTask {
  const dataType = { kind: 'uint', bits: 8 } as const
  const shape = [35, 45, samples]
  const fillValue = zeroOf(dataType)
  const codingOf = (codec: StoredCodec) => new Coding({ encoding: [codec], layout: { shape, dataType }, fillValue })
  const box = { storedShape: shape, from: [0, 0, 0], to: [0, 0, 0], extent: shape }
  return {
    kind: 'assemble',
    target: codingOf(LITTLE),
    pieces: [{ stored: new Uint8Array(stored), coding: codingOf(tiffJpeg2000.stored({})), ...box }],
  }
}
