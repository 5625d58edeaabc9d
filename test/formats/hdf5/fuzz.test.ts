import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findChunk } from '../../../src/compose/find-chunk.ts'
import { VirtualZarrError } from '../../../src/errors.ts'
import { gridShapeOf } from '../../../src/model/chunk-index.ts'
import { isComplete } from '../../../src/model/composed-array.ts'
import type { VirtualGroup } from '../../../src/model/virtual-store.ts'
import { randoms } from '../../helpers/randoms.ts'
import { FIXTURES, leavesOf, parseBytes } from './parse.ts'

const FILES = readdirSync(FIXTURES).filter((name) => name.endsWith('.h5') || name.endsWith('.nc'))
/** Damaged copies of each file; more are for a longer look. */
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 80)
/** Of processor time, ten times what the slowest takes; GUARD-6 allows 2 s. */
const MOST_MILLISECONDS = 1500

/** Parses, and asks for chunks of everything; only our own errors may come out. */
async function survive(bytes: Uint8Array, what: string): Promise<void> {
  const began = process.cpuUsage()
  try {
    const { root } = await parseBytes(bytes)
    await readCorners(root, what)
  } catch (error) {
    assert.ok(error instanceof VirtualZarrError, `${what}: ${error instanceof Error ? error.stack : String(error)}`)
  }
  const used = process.cpuUsage(began)
  const took = (used.user + used.system) / 1000
  assert.ok(took < MOST_MILLISECONDS, `${what} took ${took} ms`)
}

async function readCorners(root: VirtualGroup, what: string): Promise<void> {
  for (const [path, leaf] of leavesOf(root)) {
    if (leaf.kind !== 'array') continue
    assert.ok(
      leaf.chunkShape.every((length) => Number.isSafeInteger(length) && length > 0),
      `${what}: ${path}`,
    )
    assert.ok(
      leaf.shape.every((length) => Number.isSafeInteger(length) && length >= 0),
      `${what}: ${path}`,
    )
    const grid = gridShapeOf(leaf.shape, leaf.chunkShape)
    if (grid.includes(0)) continue
    const corners = [leaf.shape.map(() => 0), grid.map((length) => length - 1)]
    for (const coords of corners) await ours(async () => void (await findChunk(leaf, coords, undefined)), what)
    await ours(async () => void (await isComplete(leaf)), what)
  }
}

/** One array that can't be read costs the others nothing. */
async function ours(action: () => Promise<void>, what: string): Promise<void> {
  try {
    await action()
  } catch (error) {
    assert.ok(error instanceof VirtualZarrError, `${what}: ${error instanceof Error ? error.stack : String(error)}`)
  }
}

for (const name of FILES) {
  const whole = new Uint8Array(readFileSync(new URL(name, FIXTURES)))

  test(`${name} cut off anywhere is refused`, async () => {
    for (let length = 0; length < whole.length; length += length < 300 ? 7 : 1997) {
      await assert.rejects(parseBytes(whole.slice(0, length)), VirtualZarrError, `cut at ${length}`)
    }
  })

  test(`${name} with any bytes changed is served or refused`, async () => {
    const random = randoms(11)
    const next = () => random.next().value
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = whole.slice()
      const changes = 1 + ((next() >>> 8) % 4)
      for (let i = 0; i < changes; i++) {
        const extreme = [0, 0xff, 0x7f, 0x80][(next() >>> 8) % 4] ?? 0
        bytes[(next() >>> 4) % bytes.length] = (next() >>> 8) % 2 === 0 ? extreme : (next() >>> 8) % 256
      }
      await survive(bytes, `${name} round ${round}`)
    }
  })
}
