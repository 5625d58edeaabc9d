import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { hdf5 } from '../../../src/formats/hdf5/index.ts'
import { withReadAhead } from '../../../src/formats/hdf5/structures/read-ahead.ts'
import { forParsing } from '../../../src/source/parsing.ts'
import { arrayAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { countingSource, parseContext } from './counting-source.ts'
import { FIXTURES, parseFixture } from './parse.ts'

/** A fixture read through the layers of parsing, as the service does. */
async function openFixture(name: string, padding = 0) {
  const bytes = new Uint8Array(readFileSync(new URL(name, FIXTURES)))
  const origin = countingSource(Buffer.concat([bytes, new Uint8Array(padding)]))
  const parsing = forParsing(origin, { bytes: 2 ** 26, requests: 1000 })
  const root = await hdf5.parse(parsing.source, parseContext().context)
  assert.ok(root.kind === 'group')
  parsing.done()
  return { origin, root }
}

test('a file whose metadata is in its first 64 kB opens with one request', async () => {
  for (const name of ['old.h5', 'new.h5', 'types.h5', 'netcdf.nc', 'user_block.h5']) {
    const { origin } = await openFixture(name, 1_000_000)
    assert.equal(origin.reads.length, 1, name)
  }
})

test('parsing reads no chunk index and no chunk', async () => {
  const { root, source } = await parseFixture('indexes.h5')
  const touched = source.reads
  for (const path of ['fixed_filtered', 'btree', 'extensible_first', 'sparse_fixed']) {
    const ref = await asStored(arrayAt(root, path)).chunks.at([0, 0])
    if (ref.kind !== 'range') continue
    const isRead = touched.some(
      ({ offset, length }) => offset <= ref.offset && ref.offset + ref.length <= offset + length,
    )
    assert.equal(isRead, false, path)
  }
})

test('one chunk costs one read a level of its index, the next one beside it none', async () => {
  const levels: Record<string, number> = {
    single_filtered: 0,
    implicit: 0,
    fixed_filtered: 2,
    sparse_fixed: 3,
    extensible_first: 3,
    btree: 3,
  }
  const { root, source } = await parseFixture('indexes.h5')
  for (const [path, most] of Object.entries(levels)) {
    const { chunks } = asStored(arrayAt(root, path))
    source.reset()
    await chunks.at([0, 0])
    assert.ok(source.reads.length <= most, `${path}: ${source.reads.length} reads, at most ${most} are expected`)
    source.reset()
    const again = chunks.at([0, 0])
    assert.ok(!(again instanceof Promise), `${path}: no promise once its nodes are there`)
    assert.equal(source.reads.length, 0, path)
  }
})

test('the whole index is read in one round a level, and chunks need no read from then on', async () => {
  const { root, source } = await parseFixture('indexes.h5')
  for (const path of [
    'fixed_filtered',
    'sparse_fixed',
    'extensible_first',
    'btree',
    'sparse_btree',
    'sparse_extensible',
  ]) {
    const { chunks } = asStored(arrayAt(root, path))
    source.reset()
    await chunks.isComplete?.()
    assert.ok(source.rounds() <= 5, `${path}: ${source.rounds()} rounds`)
    source.reset()
    const ref = chunks.at([chunks.gridShape[0] === 1 ? 0 : 1, 1])
    assert.ok(!(ref instanceof Promise), path)
    assert.equal(source.reads.length, 0, path)
  }
})

test('a whole index takes at most 20 bytes a chunk', async () => {
  const { root } = await parseFixture('indexes.h5')
  for (const path of ['btree', 'extensible_first']) {
    const { chunks } = asStored(arrayAt(root, path))
    await chunks.isComplete?.()
    const count = chunks.gridShape.reduce((product, length) => product * length, 1)
    assert.ok(chunks.weight() <= 20 * count + 1000, `${path}: ${chunks.weight()} bytes for ${count} chunks`)
  }
})

test('a small file whose metadata is scattered is read whole, in one round, as soon as that shows', async () => {
  const origin = countingSource(new Uint8Array(8_000_000))
  const parsing = forParsing(origin, { bytes: 2 ** 26, requests: 1000 })
  const ahead = withReadAhead(parsing.source, {})
  await ahead.source.read({ offset: 0, length: 100 })
  // The objects of a group, each in a place of its own.
  await Promise.all(Array.from({ length: 8 }, (_, i) => ahead.source.read({ offset: 900_000 * i, length: 100 })))
  assert.equal(origin.rounds(), 2)
  const found = Array.from({ length: 100 }, (_, i) => ahead.source.read({ offset: 79_000 * i + 50, length: 100 }))
  await Promise.all(found)
  assert.equal(origin.rounds(), 2)
  assert.ok(origin.reads.length <= 5, `${origin.reads.length} requests`)
})

test('a large file whose metadata is scattered is read by what is asked for', async () => {
  const origin = countingSource(new Uint8Array(20_000_000))
  const parsing = forParsing(origin, { bytes: 2 ** 26, requests: 1000 })
  const ahead = withReadAhead(parsing.source, {})
  await Promise.all(Array.from({ length: 20 }, (_, i) => ahead.source.read({ offset: 900_000 * i, length: 100 })))
  const bytes = origin.reads.reduce((sum, { length }) => sum + length, 0)
  assert.ok(bytes <= 20 * 65_536, `${bytes} bytes`)
})
