import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { decodeJpegField } from '../../../src/codecs/grib/pictures.ts'
import { jpeg2000Samples } from '../../../src/codecs/kernels/jpeg2000/picture.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/json/parse.ts'

/** A picture that OpenJPEG wrote, and what it reads of it (`test/codecs/vectors/make-jpeg2000.py`). */
interface Vector {
  readonly id: string
  readonly bits: number
  readonly stored: string
  readonly sha256?: string
  readonly samples?: string
}

const vectors = readFileSync(new URL('../vectors/jpeg2000.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => parseJson(line) as unknown as Vector)

for (const { id, bits, stored, sha256, samples } of vectors) {
  test(`decodes what OpenJPEG wrote: ${id}`, () => {
    const decoded = decode(Buffer.from(stored, 'base64'))
    if (sha256 !== undefined) {
      assert.equal(createHash('sha256').update(decoded).digest('hex'), sha256)
      return
    }
    const expected = new Int32Array(new Uint8Array(inflateSync(Buffer.from(samples ?? '', 'base64'))).buffer)
    assert.equal(decoded.length, expected.length)
    const differences = decoded.map((value, i) => Math.abs(value - (expected[i] ?? 0)))
    // Both compute in floats of 32 bits, whose roundings differ with the order of sums.
    const worst = Math.max(...differences)
    assert.ok(worst <= (bits <= 16 ? 0 : 8), `differs by ${worst}`)
  })
}

test('damaged pictures are refused in good order, or give pictures of their size', () => {
  for (const [place, { stored }] of vectors.entries()) {
    const whole = Buffer.from(stored, 'base64')
    const size = decode(whole).length
    for (let i = 0; i < 12; i++) {
      const at = 40 + ((i * 7919 + place * 104_729) % (whole.length - 40))
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ (1 << (i % 8))
      for (const damaged of [changed, whole.subarray(0, at)]) {
        try {
          assert.equal(decode(damaged).length, size)
        } catch (error) {
          assert.ok(isVirtualZarrError(error), String(error))
        }
      }
    }
  }
})

// imagecodecs 2026.10.10 (OpenJPEG 2.5.4) of a row of 70,000 uint16 that are 0 but for the first (5), 65,536 (12345) and the last
// (40000): jpeg2k_encode(row, level=0, codecformat='j2k', reversible=True, resolutions=1), deflated.
const LONG_ROW = [
  'eNr77/8/kEGTgYGBUbAARDLAAAafn5HxfxADD0SQhYWB8X8MA4tDw/8UBlUGRuei1MSS1BSFpEoF/4LUPK8AV3eFstSi4sz8PAUj',
  'PVM9k/8TGLhAxqhWAjVO/l/+v76Ts/6jQvx/l8b6HxP0/1cAMSfT/zoV7v9JDvvRuUD8x0P8f6FC/D+gSP0jFC5MEVA9SBsaF82k',
  '+k6IMNTEGiAGuuAfza2lQC9+WfxO/oFXFm9YUGItLFbpHcqjkUuPyIUyoKrQLKoXYgUpwJGvh6B3/1Ggdwim5QEK5dHIpXnkLuD+',
  'wJxzO+NV3T8Q+M8T+b+eM0N6lBglRolRYpQYJUaJUWKUGBkEeAhmYLoYo7300SGY0cgdHYIZ7aWPDsGMsCGY0ZbHKDFKjBKjxCgx',
  'SowSo8QIG3WJBzYI80d4656VgfsDy49XtTOCF68U000bTRc0IFLP58docwQJ1/+/CQC0l9ON',
].join('')

test('a row of more than 65,535 samples, as reduced grids of GRIB are, is decoded whole', () => {
  const codestream = inflateSync(Buffer.from(LONG_ROW, 'base64'))
  const values = decodeJpegField(codestream, { reference: 0, binary: 1, decimal: 1, bits: 16 }, 70_000)
  const found = [...values.entries()].filter(([, value]) => value !== 0)
  assert.deepEqual(found, [
    [0, 5],
    [65_536, 12_345],
    [69_999, 40_000],
  ])
})

function decode(stored: Uint8Array): Int32Array {
  return Int32Array.from(jpeg2000Samples(stored).flatMap((plane) => [...plane]))
}
