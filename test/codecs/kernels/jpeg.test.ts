import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { decodeJpeg } from '../../../src/codecs/kernels/jpeg.ts'
import { type JpegFrame, noTables } from '../../../src/codecs/kernels/jpeg-markers.ts'
import type { JpegChroma } from '../../../src/codecs/kernels/jpeg-shape.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { poisonChunkMemory } from '../../helpers/poisoned-memory.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { tiffVectors } from '../tiff/vectors.ts'

poisonChunkMemory()

// test/codecs/tiff/vectors.test.ts compares what these hold with what libjpeg reads of them.
const whole = tiffVectors().filter(({ codecs }) => {
  const { name, configuration } = codecs.at(-1) ?? {}
  return name === 'imagecodecs_jpeg' && Object.keys(configuration ?? {}).length === 0
})

function decode(stream: Uint8Array, chroma: JpegChroma = 'interpolated') {
  const plan = ({ width, height, components }: JpegFrame) => {
    if (width * height > 4096) throw new RangeError('a frame of another size')
    return { rows: height, toRgb: components.length >= 3 }
  }
  const { frame, samples } = decodeJpeg(stream, noTables(), { chroma, plan })
  assert.equal(samples.length, frame.width * frame.height * frame.components.length)
  return samples
}

test('what was decoded before has no part in a picture', () => {
  assert.ok(whole.length >= 50)
  const hashOf = (stored: Uint8Array) => createHash('sha256').update(decode(stored)).digest('hex')
  const hashes = whole.map(({ stored }) => hashOf(stored))
  for (const [place, { id, stored }] of [...whole.entries()].toReversed())
    assert.equal(hashOf(stored), hashes[place], id)
})

test('a damaged stream gives a picture of its size or a typed error, wherever it is cut off or changed', () => {
  const began = processorMilliseconds()
  const cut = whole.filter(({ id }) => /4[24]0 of 5 x 7|YCCK, 420|12 bits, 422|grey True/.test(id))
  assert.equal(cut.length, 5)
  for (const { id, stored } of cut) {
    for (let length = 0; length < stored.length; length++)
      attempt(stored.subarray(0, length), `${id} cut off at ${length}`)
  }
  let random = 1
  const below = (most: number) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((random / 2 ** 32) * most)
  }
  for (let time = 0; time < 2000; time++) {
    const { id, stored } = whole[time % whole.length] ?? { id: '', stored: new Uint8Array(0) }
    const changed = Uint8Array.from(stored)
    for (let count = 1 + below(4); count > 0; count--) changed[below(changed.length)] = below(256)
    attempt(changed, `${id} changed for the ${time}th time`)
  }
  assert.ok(processorMilliseconds() - began < 60_000)
})

const CHROMAS = ['interpolated', 'repeated'] as const

function attempt(stream: Uint8Array, what: string): void {
  try {
    decode(stream, CHROMAS[stream.length % CHROMAS.length])
  } catch (error) {
    assert.ok(isVirtualZarrError(error) || error instanceof RangeError, `${what}: ${(error as Error).stack}`)
  }
}

/** One block of grey with one coefficient, of the lowest frequency across, times `factor`. */
function wave(factor: number): Uint8Array {
  const factors = new Array<number[]>(64).fill([factor >> 8, factor & 255]).flat()
  const lengths = (...counts: number[]) => [...counts, ...new Array<number>(16 - counts.length).fill(0)]
  return Uint8Array.from([
    ...[0xff, 0xd8, 0xff, 0xdb, 0, 131, 0x10, ...factors],
    ...[0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0],
    // No mean: the code 0. A coefficient of one bit: 0. The end of the block: 10.
    ...[0xff, 0xc4, 0, 20, 0x00, ...lengths(1), 0],
    ...[0xff, 0xc4, 0, 21, 0x10, ...lengths(1, 1), 0x01, 0x00],
    ...[0xff, 0xda, 0, 8, 1, 1, 0x00, 0, 63, 0],
    ...[0b0011_0111, 0xff, 0xd9],
  ])
}

test('values that leave 16 bits are what they are in 32', () => {
  const cosines = Array.from({ length: 8 }, (_, x) => Math.cos(((2 * x + 1) * Math.PI) / 16))
  for (const factor of [1, 40, 300, 11_000, 16_000, 20_000, 40_000, 45_000]) {
    const samples = decode(wave(factor))
    for (let at = 0; at < 64; at++) {
      const exact = 128 + (factor * (cosines[at % 8] ?? 0)) / (4 * Math.SQRT2)
      const expected = Math.max(0, Math.min(exact, 255))
      assert.ok(Math.abs((samples[at] ?? 0) - expected) <= 0.51, `${factor}: ${samples[at]} for ${exact}`)
    }
  }
})
