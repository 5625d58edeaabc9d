import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AssembleTask } from '../../src/delivery/delivery.ts'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import { zeroOf } from '../../src/model/data-type.ts'
import { tiffVectors } from './tiff-vectors.ts'

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
  const encoding = [{ name: 'vz.tiff-jpeg2000', configuration: {} }]
  const origin = [0, 0, 0]
  return {
    kind: 'assemble',
    target: [{ name: 'bytes', configuration: { endian: 'little' } }],
    chunkShape: shape,
    dataType,
    fillValue,
    pieces: [
      {
        stored: new Uint8Array(stored),
        encoding,
        storedShape: shape,
        fillValue,
        from: origin,
        to: origin,
        extent: shape,
      },
    ],
  }
}
