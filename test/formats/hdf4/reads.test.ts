import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hdf4 } from '../../../src/formats/hdf4/index.ts'
import type { VirtualGroup } from '../../../src/model/virtual-store.ts'
import { memorySource } from '../../../src/source/memory.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { waves } from '../../helpers/waves.ts'
import { dataSet, type TestElement, u16, u32 } from './build.ts'
import { arrayAt, fixture } from './parse.ts'

const URL = 'https://example.org/file.hdf'
const PLAIN = Uint8Array.from([0, 1, 0, 2, 0, 3, 0, 4])
const IN_BLOCK = 16
const HEADER = 6 + 12 * IN_BLOCK

/** A list of so many blocks, all but the last ones of bytes that mean nothing, so far apart; a data set is described at its end. */
function longFile(blocks: number, apart: number): Uint8Array {
  const elements = dataSet([2, 2], { tag: 702, ref: 9, bytes: PLAIN })
  const last = Math.ceil(elements.length / IN_BLOCK)
  const file = new Uint8Array(4 + (blocks + last) * apart)
  file.set([0x0e, 0x03, 0x13, 0x01])
  for (let block = 0; block < blocks + last; block++) {
    const at = 4 + block * apart
    const own: readonly TestElement[] =
      block < blocks ? [] : elements.slice((block - blocks) * IN_BLOCK).slice(0, IN_BLOCK)
    let data = at + HEADER
    const rows = Array.from({ length: IN_BLOCK }, (_, i) => {
      const element = own[i]
      const { tag, ref, bytes } = element ?? {
        tag: block < blocks ? 61 : 1,
        ref: (block * IN_BLOCK + i) % 65_535,
        bytes: PLAIN,
      }
      file.set(bytes, data)
      const row = [...u16(tag), ...u16(ref), ...u32(data), ...u32(bytes.length)]
      data += bytes.length
      return row
    })
    const next = block === blocks + last - 1 ? 0 : at + apart
    file.set([...u16(IN_BLOCK), ...u32(next), ...rows.flat()], at)
  }
  return file
}

test('a list of 300 descriptor blocks all over a file is walked from many places at once', async () => {
  const { counted, parsing } = waves(memorySource(URL, longFile(300, 70_000)))
  const root = (await hdf4.parse(parsing.source, parseContext().context)) as VirtualGroup
  assert.deepEqual(arrayAt(root, 'data').shape, [2, 2])
  assert.ok(counted.rounds <= 45, `${counted.rounds} rounds`)
  assert.ok(counted.requests <= 400, `${counted.requests} requests`)
})

test('a file opens without its data, and its first chunk costs its table and one header, others nothing', async () => {
  const { counted, parsing } = waves(memorySource(URL, fixture('compressed.hdf')))
  const root = (await hdf4.parse(parsing.source, parseContext().context)) as VirtualGroup
  parsing.done()
  assert.ok(counted.rounds <= 6, `${counted.rounds} rounds`)
  const { chunks } = asStored(arrayAt(root, 'int32_deflate_chunked'))
  const first = await chunks.at([0, 0])
  assert.equal(first.kind, 'range')
  const before = counted.requests
  const second = chunks.at([0, 1])
  assert.ok(!(second instanceof Promise), 'the place of the second is known')
  assert.equal(counted.requests, before)
  assert.equal(second.kind, 'range')
  assert.equal((await chunks.at([2, 3])).kind, 'missing')
})
