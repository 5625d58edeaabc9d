import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChunk } from '../../src/codecs/decode.ts'
import type { ComposeTask, RecodeTask } from '../../src/delivery/delivery.ts'
import { planDelivery } from '../../src/delivery/plan.ts'
import { recode } from '../../src/delivery/recoding/recode.ts'
import type { VirtualArray } from '../../src/model/virtual-store.ts'
import { levelArray } from '../../src/views/pyramid/level-array.ts'
import { bodyOf, deliverChunk, INT16, LITTLE, virtualArray, wholeRange, worldOf } from './world.ts'

const SIDE = 8

/** An array whose element is its row, its overview, and the overview of that; and a world that notes what is done. */
function pyramid() {
  const file = Buffer.from(Int16Array.from({ length: SIDE * SIDE }, (_, i) => Math.floor(i / SIDE) * 4).buffer)
  const shape = [SIDE, SIDE]
  const full = virtualArray({ shape, chunkShape: shape, dataType: INT16, encodings: [[LITTLE]] }, [wholeRange(file)])
  const reduction = { method: 'mean', readAs: INT16, missing: [] } as const
  const first = levelArray(full, [0, 1], reduction)
  const second = levelArray(first, [0, 1], reduction)
  const tasks: RecodeTask[] = []
  const run = async (task: RecodeTask) => {
    tasks.push(task)
    return await recode(task)
  }
  return { first, second, tasks, world: { ...worldOf(file), workers: { run, close: async () => undefined } } }
}

async function valuesOf(array: VirtualArray, world: ReturnType<typeof pyramid>['world']): Promise<number[]> {
  const bytes = await bodyOf(await deliverChunk(array, [0, 0], world))
  const layout = { shape: array.chunkShape, dataType: INT16 }
  const elements = await decodeChunk(bytes, planDelivery(array, 'portable').codecs, layout, { limit: 2 ** 20 })
  assert.equal(elements.kind, 'fixed')
  return elements.kind === 'fixed' ? [...new Int16Array(new Uint8Array(elements.bytes).buffer)] : []
}

/** The outermost codec of what a task makes. */
const madeAs = ({ target }: Exclude<RecodeTask, { kind: 'peel' }>) => target.encoding.at(-1)?.name

/** What a task does with its chunks. */
const computedBy = ({ program }: ComposeTask) => (program.kind === 'computed' ? program.operation : program.kind)

test('of levels over levels only what clients are sent is compressed', async () => {
  const { second, tasks, world } = pyramid()
  // Rows of 0 4 8 12 16 20 24 28 become 2 10 18 26, and those 6 and 22.
  assert.deepEqual(await valuesOf(second, world), [6, 6, 22, 22])
  const done = tasks.map((task) => (task.kind === 'peel' ? task.kind : `${computedBy(task)} ${madeAs(task)}`))
  assert.deepEqual(done, ['coarsen bytes', 'coarsen bytes', 'canvas blosc'])
})

test('a level that was made for the one above it is not made again for a client', async () => {
  const { first, second, tasks, world } = pyramid()
  await valuesOf(second, world)
  const before = tasks.length
  assert.deepEqual(
    (await valuesOf(first, world)).filter((_, i) => i % 4 === 0),
    [2, 10, 18, 26],
  )
  assert.deepEqual(
    tasks.slice(before).map((task) => (task.kind === 'peel' ? task.kind : computedBy(task))),
    ['canvas'],
  )
  assert.equal(world.reads.length, 1)
})
