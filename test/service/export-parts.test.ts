import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composedArray, listedMembers } from '../../src/model/composed-array.ts'
import { withAlignedParts } from '../../src/service/export/parts.ts'
import { virtualArray } from '../delivery/world.ts'
import { asStored } from '../helpers/stored-array.ts'

const INT8 = { kind: 'int', bits: 8 } as const
const range = (offset: number) => ({ kind: 'range', source: 0, offset, length: 4, encoding: 0 }) as const

test('an array that is stored whole in another grid has that grid, of which no list is made', async () => {
  const rows = virtualArray({ shape: [16_000_000, 1], chunkShape: [1, 1], dataType: INT8 }, [])
  const served = virtualArray({ shape: rows.shape, chunkShape: [2048, 1], dataType: INT8 }, [])
  const { chunks, chunkShape } = await withAlignedParts(composedArray(served, { kind: 'rechunk', of: rows }))
  assert.equal(chunks, asStored(rows).chunks)
  assert.deepEqual(chunkShape, [1, 1])
})

test('parts that lie side by side are one grid, which is made in turns', async () => {
  const count = 200_000
  const part = (first: number) =>
    virtualArray(
      { shape: [count], chunkShape: [1], dataType: INT8 },
      Array.from({ length: 3 }, (_, at) => range(first + at)),
    )
  const served = virtualArray({ shape: [2 * count], chunkShape: [2 * count], dataType: INT8 }, [])
  const stored = [
    { array: part(0), origin: [0] },
    { array: part(1000), origin: [count] },
  ]
  let turns = 0
  let goesOn = true
  const tick = () => {
    turns++
    if (goesOn) setImmediate(tick)
  }
  setImmediate(tick)
  const joined = (list: typeof stored) =>
    composedArray(served, { kind: 'concat', members: listedMembers(list), encodings: [] })
  const { chunks } = await withAlignedParts(joined(stored))
  goesOn = false
  assert.ok(turns > 0, 'nobody else had a turn')
  assert.deepEqual([await chunks.at([2]), await chunks.at([count + 1])], [range(2), range(1001)])
  await assert.rejects(
    withAlignedParts(joined([stored[0], stored[0]].flatMap((one) => one ?? []))),
    /lie over each other/,
  )
})
