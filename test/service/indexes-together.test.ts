import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MISSING } from '../../src/model/chunk-ref.ts'
import { NO_SENTINELS, type StoredArray, type VirtualArray } from '../../src/model/virtual-store.ts'
import { surveyChunks } from '../../src/service/chunk-survey.ts'
import { loadIndexes } from '../../src/service/export/load-indexes.ts'
import { openStore } from '../../src/service/open-store.ts'
import { parseStoreOptions } from '../../src/service/store-options.ts'
import { virtualArray, virtualGroup } from '../helpers/virtual-array.ts'

const COUNT = 100
const SENTINEL = { kind: 'number', value: -1 } as const

/** Resolves once it was asked for so often: who asks one after the other waits for ever. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = 0
  return () => {
    if (++asked === count) resolve()
    return promise
  }
}

/** Arrays with a sentinel whose indexes can be read only together. */
function arraysWith(chunks: (index: number) => Partial<StoredArray['chunks']>): Record<string, VirtualArray> {
  const arrays = Array.from({ length: COUNT }, (_, index) => {
    const array = virtualArray({ sentinels: { ...NO_SENTINELS, fillValue: SENTINEL } })
    return [`a${index}`, { ...array, chunks: { ...array.chunks, ...chunks(index) } }] as const
  })
  return Object.fromEntries(arrays)
}

async function open(arrays: Record<string, VirtualArray>, options: Readonly<Record<string, string>>) {
  const root = virtualGroup({ g: virtualGroup(arrays) })
  const texts = parseStoreOptions(new Map(Object.entries(options)))
  return await openStore({ root, version: '1', format: 'test', diagnostics: [] }, texts)
}

test('missing=fill reads the indexes of all arrays together, and says of each what came of it', async () => {
  const wait = barrier(COUNT)
  const isComplete = async (index: number) => {
    await wait()
    return index % 2 === 0
  }
  const store = await open(
    arraysWith((index) => ({ isComplete: () => isComplete(index) })),
    { missing: 'fill' },
  )
  const fills = ['g/a0', 'g/a1', 'g/a2'].map((path) => {
    const node = store.nodes.get(path)
    return node?.kind === 'array' ? node.array.fillValue : undefined
  })
  assert.deepEqual(fills, [SENTINEL, { kind: 'number', value: 0 }, SENTINEL])
  const refused = store.diagnostics.filter(({ code }) => code === 'fill-not-granted').map(({ path }) => path)
  // In the order of the tree, whichever index came first.
  const odd = Array.from({ length: COUNT / 2 }, (_, index) => `g/a${index * 2 + 1}`)
  assert.deepEqual(refused, odd)
})

test('an export looks up the first chunks of all arrays together; one whose index is broken is left to its own export', async () => {
  const wait = barrier(COUNT)
  let isReady = false
  const at = async (index: number) => {
    await wait()
    isReady = true
    if (index === 3) throw new Error('a broken index')
    return MISSING
  }
  await loadIndexes(
    await open(
      arraysWith((index) => ({ at: () => at(index) })),
      {},
    ),
  )
  assert.ok(isReady)
})

test('a survey of chunks looks up many at the same time', async () => {
  const wait = barrier(COUNT)
  const at = async () => {
    await wait()
    return MISSING
  }
  const array = virtualArray({ shape: [COUNT], chunkShape: [1] })
  const store = await open({ a: { ...array, chunks: { ...array.chunks, at } } }, {})
  const survey = await surveyChunks({ store }, 'g/a', 0, new AbortController().signal)
  assert.equal(survey.kinds, '-'.repeat(COUNT))
})
