import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { VirtualZarrError } from '../../../src/errors.ts'
import { fits } from '../../../src/formats/fits/index.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { randoms } from '../../helpers/randoms.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { arraysOf, decodedChunk } from './build.ts'

const FOLDER = new URL('../../fixtures/fits/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.fits'))
/** GUARD-6. */
const MOST_MILLISECONDS = 2000
/** A hostile header may claim chunks that nobody decodes here: memory, not time, is what they would take. */
const MOST_ELEMENTS = 1_000_000

/** Parses, and decodes the first and the last chunk of everything; only our own errors may come out. */
async function survive(bytes: Uint8Array, what: string): Promise<void> {
  const began = processorMilliseconds()
  const source = countingSource(bytes)
  const root = await ours(fits.parse(source, parseContext().context), what)
  for (const [path, array] of root === undefined ? [] : arraysOf(root)) {
    assert.ok(array.chunkShape.every((length) => Number.isSafeInteger(length) && length > 0))
    assert.ok(array.shape.every((length) => Number.isSafeInteger(length) && length >= 0))
    if (asStored(array).chunks.gridShape.includes(0) || chunkElements(array) > MOST_ELEMENTS) continue
    for (const coords of [array.shape.map(() => 0), asStored(array).chunks.gridShape.map((length) => length - 1)]) {
      await ours(decodedChunk(array, coords, source), `${what} ${path}`)
    }
  }
  const took = processorMilliseconds() - began
  assert.ok(took < MOST_MILLISECONDS, `${what} took ${took} ms`)
}

function chunkElements({ chunkShape }: VirtualArray): number {
  return chunkShape.reduce((product, length) => product * length, 1)
}

async function ours<Value>(promise: Promise<Value>, what: string): Promise<Value | undefined> {
  try {
    return await promise
  } catch (error) {
    assert.ok(error instanceof VirtualZarrError, `${what}: ${error instanceof Error ? error.stack : String(error)}`)
    return undefined
  }
}

for (const name of FILES) {
  const whole = new Uint8Array(readFileSync(new URL(name, FOLDER)))

  test(`${name} cut off anywhere is served as far as it goes, or refused`, async () => {
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 40)) {
      await survive(whole.subarray(0, length), `${name} cut at ${length}`)
    }
  })

  test(`${name} with any byte changed is served or refused`, async () => {
    const random = randoms(11)
    const next = () => random.next().value
    for (let round = 0; round < 120; round++) {
      const bytes = whole.slice()
      const changes = 1 + ((next() >>> 8) % 12)
      for (let i = 0; i < changes; i++) {
        const digit = 0x30 + ((next() >>> 8) % 10)
        const at = (next() >>> 4) % bytes.length
        // Digits of headers become other digits: that is where lengths and offsets are.
        const isDigit = (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39
        bytes[at] = isDigit ? digit : (next() >>> 8) % 256
      }
      await survive(bytes, `${name} round ${round}`)
    }
  })
}

test('digits of all lengths and counts changed one by one are served or refused', async () => {
  const whole = new Uint8Array(readFileSync(new URL('tables.fits', FOLDER)))
  const text = Buffer.from(whole).toString('latin1')
  const fields = [...text.matchAll(/(?:NAXIS\d|PCOUNT|TFIELDS|TBCOL\d|GCOUNT|BITPIX) *= *(\d+)/g)]
  assert.ok(fields.length > 10)
  for (const field of fields) {
    for (const digit of ['0', '1', '7', '9', '-', '.', 'x']) {
      const end = field.index + field[0].length
      for (const at of [end - 1, end - 9, end - 18]) {
        const bytes = whole.slice()
        bytes[at] = digit.charCodeAt(0)
        await survive(bytes, `${field[0]} with ${digit} at ${at - end}`)
      }
    }
  }
})
