import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { VirtualZarrError } from '../../../src/errors.ts'
import { netcdf3 } from '../../../src/formats/netcdf3/index.ts'
import type { VirtualNode } from '../../../src/model/virtual-store.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { randoms } from '../../helpers/randoms.ts'
import { asStored } from '../../helpers/stored-array.ts'

const FOLDER = new URL('../../fixtures/netcdf3/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.nc'))
/** Ten times what the slowest takes on a busy machine; GUARD-6 allows 2 s. */
const MOST_MILLISECONDS = 1000

/** Parses, and asks for the first and the last chunk of everything; only our own errors may come out. */
async function survive(bytes: Uint8Array, what: string): Promise<void> {
  const began = processorMilliseconds()
  try {
    const source = countingSource(bytes)
    const root = await netcdf3.parse(source, parseContext().context)
    await readCorners(root)
  } catch (error) {
    assert.ok(error instanceof VirtualZarrError, `${what}: ${String(error)}`)
  }
  const took = processorMilliseconds() - began
  assert.ok(took < MOST_MILLISECONDS, `${what} took ${took} ms`)
}

async function readCorners(root: VirtualNode): Promise<void> {
  assert.ok(root.kind === 'group')
  for (const array of root.members.values()) {
    if (array.kind !== 'array') continue
    assert.ok(array.chunkShape.every((length) => Number.isSafeInteger(length) && length > 0))
    assert.ok(array.shape.every((length) => Number.isSafeInteger(length) && length >= 0))
    if (asStored(array).chunks.gridShape.includes(0)) continue
    for (const coords of [array.shape.map(() => 0), asStored(array).chunks.gridShape.map((length) => length - 1)]) {
      const ref = await asStored(array).chunks.at(coords)
      assert.ok(ref.kind === 'range' || ref.kind === 'strided')
      assert.ok(Number.isSafeInteger(ref.offset) && ref.length > 0)
    }
  }
}

for (const name of FILES) {
  const whole = new Uint8Array(readFileSync(new URL(name, FOLDER)))

  test(`${name} cut off anywhere is served as far as it goes, or refused`, async () => {
    for (let length = 0; length < whole.length; length += length < 300 ? 1 : 13) {
      await survive(whole.subarray(0, length), `${name} cut at ${length}`)
    }
  })

  test(`${name} with any byte changed is served or refused`, async () => {
    const random = randoms(7)
    const next = () => random.next().value
    for (let round = 0; round < 2000; round++) {
      const bytes = whole.slice()
      const changes = 1 + ((next() >>> 8) % 3)
      for (let i = 0; i < changes; i++) {
        const extreme = [0, 0xff, 0x7f, 0x80][(next() >>> 8) % 4] ?? 0
        bytes[(next() >>> 4) % bytes.length] = (next() >>> 8) % 2 === 0 ? extreme : (next() >>> 8) % 256
      }
      await survive(bytes, `${name} round ${round}`)
    }
  })
}
