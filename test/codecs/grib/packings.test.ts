import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { decodeField } from '../../../src/codecs/grib/field.ts'
import { VirtualZarrError } from '../../../src/errors.ts'
import { randoms } from '../../helpers/randoms.ts'

const FIXTURES = new URL('../../fixtures/grib/', import.meta.url)

interface Listed {
  readonly label: string
  readonly bytes: number
  readonly points: number
}

const messages = readFileSync(new URL('packings.grib', FIXTURES))
const values = new Uint8Array(readFileSync(new URL('packings.f32', FIXTURES)))
const listing: { readonly messages: readonly Listed[] } = JSON.parse(
  readFileSync(new URL('packings.json', FIXTURES), 'utf8'),
)

let start = 0
let first = 0
const whole = listing.messages.map(({ label, bytes, points }) => {
  const message = messages.subarray(start, start + bytes)
  const expected = new Float32Array(values.buffer, first * 4, points)
  start += bytes
  first += points
  return { label, message, points, expected }
})
const nothing = { label: 'no such message', message: new Uint8Array(0), points: 0 }

describe('FV-GRIB-1: GRIB values are those that ecCodes reads, to the last bit', () => {
  for (const { label, message, points, expected } of whole) {
    test(label, async () => assert.deepEqual(await decoded(message, points), expected))
  }
})

describe('a GRIB message that is cut anywhere is refused', () => {
  test('where its values need what is missing', async () => {
    for (const { label, message, points } of whole) {
      if (!label.includes(' 12 bits, bitmap some')) continue
      for (let length = 0; length < message.length - 12; length += 7) {
        await assert.rejects(
          async () => decoded(message.subarray(0, length), points),
          { name: 'VirtualZarrError' },
          label,
        )
      }
    }
  })

  test('of fewer points than another grid has', async () => {
    const { message, points, label } = whole.find((each) => each.label.includes('12 bits, bitmap some')) ?? nothing
    await assert.rejects(async () => decoded(message, points + 1000), { code: 'malformed-source' }, label)
  })
})

test('a message with any bits changed gives values or a typed error', async () => {
  const numbers = randoms(7)
  for (const { label, message, points } of whole) {
    if (label.includes('grid_jpeg')) continue
    for (let round = 0; round < 6; round++) {
      const changed = new Uint8Array(message)
      for (let change = 0; change < 3; change++) {
        const at = numbers.next().value % changed.length
        changed[at] = (changed[at] ?? 0) ^ (1 << (numbers.next().value % 8))
      }
      try {
        assert.equal((await decoded(changed, points)).length, points)
      } catch (error) {
        assert.ok(error instanceof VirtualZarrError, `${label}: ${error}`)
      }
    }
  }
})

/** Either edition. */
async function decoded(message: Uint8Array, points: number): Promise<Float32Array> {
  return new Float32Array(await decodeField(message, points, 32))
}
