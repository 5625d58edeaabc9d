import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PagedTable } from '../../src/model/paged-table.ts'

/** Entries of three bytes, each its number; 21,845 of them are a page. */
function tableOf(count: number) {
  const bytes = Uint8Array.from({ length: 10 + count * 3 }, (_, at) => Math.floor((at - 10) / 3) & 0xff)
  const reads: string[] = []
  const table = new PagedTable({
    offset: 10,
    entryBytes: 3,
    count,
    read: async ({ offset, length }) => {
      reads.push(`${offset}+${length}`)
      return bytes.subarray(offset, offset + length)
    },
  })
  return { table, reads }
}

test('an entry is found in its page, which is read once', async () => {
  const { table, reads } = tableOf(50_000)
  assert.deepEqual([...(await table.run(21_850, 1, {}))], [90, 90, 90])
  const again = table.run(21_851, 2, {})
  assert.ok(again instanceof Uint8Array)
  assert.deepEqual([...again], [91, 91, 91, 92, 92, 92])
  assert.deepEqual(reads, ['65545+65535'])
  assert.ok(table.weight() > 65_535 && table.weight() < 66_500)
})

test('entries of several pages are joined; the last page is as long as the table', async () => {
  const { table, reads } = tableOf(50_000)
  const run = await table.run(21_840, 21_860, {})
  assert.equal(run.length, 3 * 21_860)
  assert.deepEqual(
    [run[0], run[3 * 5], run[3 * 21_859]],
    [21_840, 21_845, 43_699].map((entry) => entry & 0xff),
  )
  assert.deepEqual(reads, ['10+65535', '65545+65535', `131080+${3 * (50_000 - 43_690)}`])
})

test('every entry is visited once, in order', async () => {
  const { table } = tableOf(50_000)
  let count = 0
  await table.each((bytes) => {
    for (let at = 0; at < bytes.length; at += 3) if (bytes[at] === (count & 0xff)) count++
  }, {})
  assert.equal(count, 50_000)
})

test('an entry longer than a page is a page', async () => {
  const read = async ({ length }: { readonly length: number }) => new Uint8Array(length)
  const table = new PagedTable({ offset: 0, entryBytes: 100_000, count: 3, read })
  assert.equal((await table.run(2, 1, {})).length, 100_000)
})
