import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { variableName } from '../../../src/formats/hdf5/netcdf4.ts'
import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import { coordinates } from '../../corpus/values.ts'
import { arrayAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { FIXTURES, parseFixture } from './parse.ts'
import { hashOf, readArray } from './read-array.ts'

interface GoldenArray {
  readonly shape: readonly number[]
  readonly sha256: string
  readonly chunks?: Readonly<Record<string, readonly [number, number, number]>>
}

const golden = JSON.parse(readFileSync(new URL('golden.json', FIXTURES), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, GoldenArray>>>
>

/** NetCDF's dimensions without a variable are no arrays; a variable shorter than its dimension is padded. */
const PADDED = ['short']

for (const [name, arrays] of Object.entries(golden)) {
  test(`${name}: every array has the shape and the values that h5py reads`, async () => {
    const { root, source } = await parseFixture(name)
    for (const [path, expected] of Object.entries(arrays)) {
      if (PADDED.includes(path)) continue
      const array = arrayAt(root, variableName(path))
      assert.deepEqual(array.shape, expected.shape, `${path}: shape`)
      assert.equal(hashOf(await readArray(array, source)), expected.sha256, `${path}: values`)
    }
  })

  test(`${name}: every chunk is where h5py says, by single look-ups and by the whole index`, async () => {
    const { root } = await parseFixture(name)
    for (const [path, { chunks }] of Object.entries(arrays)) {
      if (chunks === undefined) continue
      const array = arrayAt(root, variableName(path))
      for (const _ of ['node by node', 'whole']) {
        for (const coords of coordinates(asStored(array).chunks.gridShape)) {
          const ref: ChunkRef = await asStored(array).chunks.at(coords)
          const place: readonly number[] = chunks[coords.join('/')] ?? []
          const [offset, length, encoding] = place
          const expected =
            offset === undefined ? { kind: 'missing' } : { kind: 'range', source: 0, offset, length, encoding }
          assert.deepEqual(ref, expected, `${path} ${coords}`)
        }
        const total = asStored(array).chunks.gridShape.reduce((product, length) => product * length, 1)
        assert.equal(
          await asStored(array).chunks.isComplete?.(),
          Object.keys(chunks).length === total,
          `${path}: complete`,
        )
      }
    }
  })
}
