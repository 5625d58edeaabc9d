// How many round trips the walk from header to header takes. astropy 7.1 over fsspec takes one for each HDU that is longer than its blocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { predictedOffsets } from '../../../src/formats/fits/header-prefetch.ts'
import { readHdus } from '../../../src/formats/fits/read-hdus.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { randoms } from '../../helpers/randoms.ts'
import { waves } from '../../helpers/waves.ts'
import { hduBytes, imageCards, tableCards } from './build.ts'

const BLOCK = 2880

/** An HDU of a file that is not held: its header, and how many bytes of zeros follow. */
interface SparseHdu {
  readonly header: Uint8Array
  readonly dataBytes: number
}

function image(rows: number, extension = true): SparseHdu {
  return { header: hduBytes(imageCards(8, [1000, rows], extension)), dataBytes: rows * 1000 }
}

function table(rows: number): SparseHdu {
  return { header: hduBytes(tableCards(100, rows, 0, [['A', '100B']])), dataBytes: rows * 100 }
}

/** A file of these HDUs behind an empty primary one, of which only headers are in memory. */
function sparseFile(hdus: readonly SparseHdu[]) {
  const headers = new Map<number, Uint8Array>()
  const offsets: number[] = []
  let size = 0
  for (const { header, dataBytes } of [{ header: hduBytes(imageCards(8, [])), dataBytes: 0 }, ...hdus]) {
    offsets.push(size)
    for (let i = 0; i < header.length; i += BLOCK) headers.set((size + i) / BLOCK, header.subarray(i, i + BLOCK))
    size += header.length + Math.ceil(dataBytes / BLOCK) * BLOCK
  }
  const at = (position: number) => headers.get(Math.floor(position / BLOCK))?.[position % BLOCK] ?? 0
  return { source: countingSource(new Uint8Array(0), size, at), offsets, size }
}

async function walk(hdus: readonly SparseHdu[]) {
  const { source, offsets, size } = sparseFile(hdus)
  const { counted, parsing, beside } = waves(source)
  const found = await readHdus(parsing.source, beside.context)
  assert.deepEqual(
    found.map(({ header }) => header.place.offset),
    offsets,
  )
  assert.deepEqual(beside.diagnostics, [])
  return { ...counted, size }
}

test('200 images of a megabyte are found in 10 rounds', async () => {
  const { rounds, bytes } = await walk(Array.from({ length: 200 }, () => image(1000)))
  assert.ok(rounds <= 10, `${rounds} rounds`)
  assert.ok(bytes <= 201 * 2 * 65_536, `${bytes} bytes`)
})

test('values, errors, quality and tables in turn are found in 20 rounds', async () => {
  const kinds = [image(1000), image(1000), image(500), table(9000)]
  const { rounds } = await walk(Array.from({ length: 200 }, (_, i) => kinds[i % kinds.length] ?? image(1)))
  assert.ok(rounds <= 20, `${rounds} rounds`)
})

test('1,000 HDUs of up to 77 kB, of alternating sizes, are read by extents, in 10 rounds', async () => {
  const { rounds } = await walk(Array.from({ length: 1000 }, (_, i) => image(i % 3 === 0 ? 37 : 74)))
  assert.ok(rounds <= 10, `${rounds} rounds`)
})

test('1,000 images of 40 kB are read by extents, in 10 rounds', async () => {
  const { rounds, bytes, size } = await walk(Array.from({ length: 1000 }, () => image(40)))
  assert.ok(rounds <= 10, `${rounds} rounds`)
  assert.ok(bytes <= size + 65_536, `${bytes} bytes of ${size}`)
})

test('lengths that follow no pattern cost no more than the walk itself and a few wrong guesses', async () => {
  const random = randoms(29)
  const hdus = Array.from({ length: 200 }, () => image(500 + (random.next().value % 3000)))
  const { rounds, requests, bytes } = await walk(hdus)
  assert.ok(rounds <= 201, `${rounds} rounds`)
  assert.ok(requests <= 300, `${requests} requests`)
  assert.ok(bytes <= 300 * 65_536, `${bytes} bytes`)
})

test('patterns that break as soon as they are believed cost bytes in proportion to the HDUs', async () => {
  // Three HDUs of one length, then one of another: the guess that follows is always wrong.
  const hdus = Array.from({ length: 200 }, (_, i) => image(1000 + (i % 4 === 3 ? 50 * i : 7 * Math.floor(i / 4) * 100)))
  const { bytes } = await walk(hdus)
  assert.ok(bytes <= 200 * 10 * 65_536, `${bytes} bytes`)
})

test('headers that differ by a block are found where they were expected', async () => {
  const long = (rows: number): SparseHdu => {
    const cards = Array.from({ length: 40 }, (_, i) => [`KEY${i}`, i] as const)
    return { header: hduBytes([...imageCards(8, [1000, rows], true), ...cards]), dataBytes: rows * 1000 }
  }
  const { rounds } = await walk(Array.from({ length: 200 }, (_, i) => (i % 7 === 3 ? long(1000) : image(1000))))
  assert.ok(rounds <= 30, `${rounds} rounds`)
})

test('a few small HDUs before a large one are read as they were, without what follows', async () => {
  const { requests, bytes } = await walk([...Array.from({ length: 6 }, () => image(5)), image(100_000)])
  assert.deepEqual({ requests, bytes }, { requests: 1, bytes: 65_536 })
})

test('nothing is predicted without a repetition, or beyond the end of the file', () => {
  assert.deepEqual(predictedOffsets([], 0, 1e9), [])
  assert.deepEqual(predictedOffsets([5760, 1e6, 2e6, 3e6], 7e6, 1e9), [])
  assert.deepEqual(predictedOffsets([1e6, 2e6, 1e6, 2e6], 6e6, 1e7), [7e6, 9e6])
})
