import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsRice } from '../../../src/codecs/fits/rice.ts'
import { decodeIntervals, type RiceSettings } from '../../../src/codecs/kernels/rice.ts'
import { VirtualZarrError } from '../../../src/errors.ts'
import { randoms } from '../../helpers/randoms.ts'
import { plainCcsds, plainFitsRice } from './plain-rice.ts'

type Below = (bound: number) => number

function generator(seed: number): Below {
  const numbers = randoms(seed)
  return (bound) => Math.floor((numbers.next().value / 2 ** 32) * bound)
}

const BITS = { 1: 8, 2: 16, 4: 32 } as const

/** Bits of all kinds: any, mostly ones, runs of zeros. */
function codesOf(below: Below): Uint8Array {
  const kind = below(3)
  return Uint8Array.from({ length: 1 + below(300) }, () => {
    if (kind === 0) return below(256)
    return kind === 1 ? below(256) | below(256) | below(256) : below(4) === 0 ? below(256) : 0
  })
}

/** Undefined where it is refused as malformed; anything else that is thrown is a fault. */
function orUndefined<Value>(decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch (error) {
    if (error instanceof VirtualZarrError && error.code === 'malformed-source') return undefined
    throw error
  }
}

test('Rice codes of FITS give what a decoder gives that goes bit by bit, or are refused', () => {
  const below = generator(1)
  let good = 0
  for (let round = 0; round < 4000; round++) {
    const stored = codesOf(below)
    const bytes = ([1, 2, 4] as const)[round % 3] ?? 1
    const [blockLength, count] = [1 + below(40), 1 + below(round % 2 === 0 ? 30 : 300)]
    const layout = { shape: [count], dataType: { kind: 'uint', bits: BITS[bytes] } } as const
    const step = fitsRice.prepare({ bytes, blockLength }, layout, () => assert.fail())
    const elements = orUndefined(() => step.decode(stored, { limit: 2 ** 20 }))
    const expected = plainFitsRice(stored, bytes, blockLength, count)
    if (elements === undefined) assert.equal(expected, undefined, `round ${round}`)
    else {
      assert.ok('kind' in elements && elements.kind === 'fixed')
      const type = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[bytes]
      assert.deepEqual([...new type(new Uint8Array(elements.bytes).buffer)], expected, `round ${round}`)
      good++
    }
  }
  assert.ok(good > 500, `${good} good ones`)
})

test('extended Rice codes give what a decoder gives that goes bit by bit, or are refused', () => {
  const below = generator(2)
  let good = 0
  for (let round = 0; round < 4000; round++) {
    const stored = codesOf(below)
    const settings: RiceSettings = {
      bits: 1 + below(16),
      blockLength: 2 * (1 + below(16)),
      blocks: 1 + below(80),
      predicted: below(2) === 0,
      restricted: below(4) === 0,
      aligned: below(4) === 0,
    }
    if (settings.restricted === true && settings.bits > 4) continue
    const total = 1 + below(round % 2 === 0 ? 60 : 2000)
    const found = orUndefined(() => {
      const numbers: number[] = []
      decodeIntervals(stored, settings, total, (samples) => numbers.push(...samples))
      return numbers
    })
    const expected = plainCcsds(stored, settings, total)
    // Codes of more bits than samples have are nothing that a writer makes, and the two need not agree on what they are.
    const isPossible = expected?.every((sample) => sample >= 0 && sample < 2 ** settings.bits) ?? true
    assert.equal(found === undefined, expected === undefined, `round ${round}`)
    if (isPossible) assert.deepEqual(found, expected, `round ${round}: ${JSON.stringify(settings)}`)
    if (found !== undefined && isPossible) good++
  }
  assert.ok(good > 500, `${good} good ones`)
})
