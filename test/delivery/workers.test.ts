import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import type { ByteRange } from '../../src/bytes/byte-range.ts'
import { decodeChunk, encodeElements } from '../../src/codecs/decode.ts'
import { hdf5VlenText } from '../../src/codecs/hdf5/vlen-text.ts'
import { Coding } from '../../src/compose/coding.ts'
import { oneChunkTask } from '../../src/delivery/composed-chunk.ts'
import type { ComposeTask, PeelTask } from '../../src/delivery/delivery.ts'
import { recode } from '../../src/delivery/recoding/recode.ts'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import { VirtualZarrError } from '../../src/errors.ts'
import { Float } from '../../src/json/json.ts'
import type { Encoding } from '../../src/model/encoding.ts'
import { heapCollection, heapReferences } from '../hostile/hdf5-file.ts'
import { codec, INT16, LITTLE, ZLIB } from './world.ts'

const values = Int16Array.from({ length: 40_000 }, (_, i) => (i * 7) % 500)
const stored = deflateSync(Buffer.from(values.buffer))
const blosc = codec('blosc', { typesize: 2, cname: 'zstd', clevel: 1, shuffle: 'shuffle', blocksize: 0 })
const BLOSC = codingOf([LITTLE, blosc])

function codingOf(encoding: Encoding, length = 40_000): Coding {
  const fillValue = { kind: 'number', value: 0 } as const
  return new Coding({ encoding, layout: { shape: [length], dataType: INT16 }, fillValue })
}

const DEFLATED = codingOf([LITTLE, ZLIB])

function taskOf(bytes: Uint8Array, coding = DEFLATED, target = BLOSC): ComposeTask {
  return oneChunkTask({ stored: bytes, coding, storedShape: coding.layout.shape }, target)
}

/** Takes many seconds: a long run of zeros, shuffled over and over. */
function slowTask(): PeelTask {
  const shuffles = Array.from({ length: 60 }, () => codec('numcodecs.shuffle', { elementsize: 7 }))
  const bytes = deflateSync(new Uint8Array(2 ** 26), { level: 1 })
  return { kind: 'peel', stored: bytes, coding: codingOf([LITTLE, ...shuffles, ZLIB]), kept: 0, length: 2 ** 26 }
}

test('a thread makes the same bytes as this one, again and again', async (t) => {
  const workers = recodeWorkers({ threads: 2 })
  t.after(() => workers.close())
  const here = Buffer.from(await recode(taskOf(stored)))
  const made = await Promise.all(Array.from({ length: 8 }, () => workers.run(taskOf(stored))))
  for (const bytes of made) assert.ok(here.equals(bytes))
})

test('what a thread has made stays as it was when its memory is used again', async (t) => {
  const workers = recodeWorkers({ threads: 1 })
  t.after(() => workers.close())
  const plain = codingOf([LITTLE])
  const others = deflateSync(Buffer.from(values.map((value) => value + 1).buffer))
  const shuffled = codingOf([LITTLE, codec('numcodecs.shuffle', { elementsize: 2 }), ZLIB])
  // Long enough to be kept, and sent as they are: nothing is compressed in the end.
  const tasks = [taskOf(stored, DEFLATED, plain), taskOf(others, DEFLATED, plain), taskOf(stored, shuffled, plain)]
  const here = await Promise.all(tasks.map(async (task) => Buffer.from(await recode(task))))
  const made = []
  for (let round = 0; round < 9; round++) made.push(await workers.run(tasks[round % 3] ?? slowTask()))
  for (const [round, bytes] of made.entries()) assert.ok(here[round % 3]?.equals(bytes), `result ${round}`)
})

test('byte strings of several chunks stay what they are while the next one is decoded', async (t) => {
  const workers = recodeWorkers({ threads: 1 })
  t.after(() => workers.close())
  const dataType = { kind: 'bytes' } as const
  const fillValue = { kind: 'bytes', value: new Uint8Array(0) } as const
  const layout = { shape: [1], dataType }
  const coding = (encoding: Encoding, shape: number[]) =>
    new Coding({ encoding, layout: { shape, dataType }, fillValue })
  // Shuffled: the strings are views on what a codec of ours has made.
  const shuffled = coding([codec('vlen-bytes'), codec('numcodecs.shuffle', { elementsize: 4 })], [1])
  const strings = Array.from({ length: 4 }, (_, i) => new Uint8Array(100_000).fill(i + 1))
  const chunks = strings.map((value) => {
    const stored = encodeElements({ kind: 'blobs', values: [value] }, shuffled.encoding, layout)
    return { stored, coding: shuffled, storedShape: [1] }
  })
  const target = coding([codec('vlen-bytes')], [4])
  const layers = chunks.map((_, i) => ({ kind: 'chunk', chunk: i, from: [0], to: [i], extent: [1] }) as const)
  const program = { kind: 'canvas', layout: target.layout, fillValue, layers } as const
  const made = await workers.run({ kind: 'compose', program, chunks, target })
  const decoded = await decodeChunk(made, [codec('vlen-bytes')], { shape: [4], dataType }, { limit: 2 ** 20 })
  assert.ok(decoded.kind === 'blobs')
  const same = strings.map((value, i) => Buffer.compare(value, decoded.values[i] ?? Buffer.alloc(0)) === 0)
  assert.deepEqual(same, [true, true, true, true])
})

test('the stored bytes stay with the caller', async (t) => {
  const workers = recodeWorkers({ threads: 1 })
  t.after(() => workers.close())
  const before = stored.toString('hex')
  await workers.run(taskOf(stored))
  assert.equal(stored.toString('hex'), before)
})

test('floats that are spelled as such survive the way to the thread', async (t) => {
  const workers = recodeWorkers({ threads: 1 })
  t.after(() => workers.close())
  const scale = { offset: new Float(0), scale: new Float(2), dtype: '<i2', astype: '<i2' }
  const bytes = Buffer.from(values.buffer)
  const scaled = codingOf([codec('numcodecs.fixedscaleoffset', scale), LITTLE])
  const task = taskOf(bytes, scaled, codingOf([LITTLE]))
  const halved = new Int16Array(new Uint8Array(await workers.run(task)).buffer)
  assert.equal(halved[10], Math.trunc((values[10] ?? 0) / 2))
})

test('damaged bytes are malformed, and cost their own task only', async (t) => {
  const workers = recodeWorkers({ threads: 1 })
  t.after(() => workers.close())
  await assert.rejects(workers.run(taskOf(stored.subarray(0, 100))), { code: 'malformed-source' })
  assert.ok((await workers.run(taskOf(stored))).length > 0)
})

test('a task that takes too long is given up, its thread replaced and told again what is coded how', async (t) => {
  const workers = recodeWorkers({ threads: 1, deadlineMs: 2000 })
  t.after(() => workers.close())
  assert.ok((await workers.run(taskOf(stored))).length > 0)
  const refusal = () =>
    workers.run(slowTask()).then(
      () => 'none',
      ({ code }: VirtualZarrError) => code,
    )
  let told = await refusal()
  // A busy machine may give the thread no chance to work for so long.
  for (let times = 0; told === 'overloaded' && times < 10; times++) told = await refusal()
  assert.equal(told, 'limit-exceeded')
  assert.ok((await workers.run(taskOf(stored))).length > 0)
})

test('a client that left takes its waiting task with it', async (t) => {
  const workers = recodeWorkers({ threads: 1 })
  t.after(() => workers.close())
  const first = workers.run(taskOf(stored))
  const left = new AbortController()
  const second = workers.run(taskOf(stored), left.signal)
  left.abort(new Error('the client left'))
  await assert.rejects(second, { message: 'the client left' })
  assert.ok((await first).length > 0)
})

test('as many wait as will be begun in time, of whom all are answered', async (t) => {
  const workers = recodeWorkers({ threads: 1, mostWaiting: 1 })
  t.after(() => workers.close())
  const made = await Promise.all(Array.from({ length: 900 }, () => workers.run(taskOf(stored))))
  assert.equal(made.length, 900)
})

test('more who would have to wait for too long are refused as overload', async (t) => {
  const workers = recodeWorkers({ threads: 1, mostWaiting: 1, patienceMs: 5 })
  t.after(() => workers.close())
  const accepted = [workers.run(taskOf(stored)), workers.run(taskOf(stored))]
  await assert.rejects(workers.run(taskOf(stored)), { code: 'overloaded' })
  await Promise.all(accepted)
})

test('closing ends what waits, and refuses what comes', async () => {
  const workers = recodeWorkers({ threads: 1 })
  const pending = [workers.run(taskOf(stored)), workers.run(taskOf(stored))]
  const ended = Promise.all(pending.map((task) => assert.rejects(task, { code: 'overloaded' })))
  await workers.close()
  await ended
  await assert.rejects(workers.run(taskOf(stored)), { code: 'overloaded' })
})

describe('chunks whose bytes point elsewhere', () => {
  const FORMAT = { offsetSize: 8, lengthSize: 8, base: 0 }
  const collection = heapCollection(['one', 'two'])
  const references = heapReferences(3, (i) => ({ length: 3, address: 4096, object: 1 + (i % 2) }))
  const fillValue = { kind: 'string', value: '' } as const
  const layout = { shape: [3], dataType: { kind: 'string' } } as const
  const pointing = new Coding({ encoding: [hdf5VlenText.stored(FORMAT)], layout, fillValue })
  const target = new Coding({ encoding: [{ name: 'vlen-utf8', configuration: {} }], layout, fillValue })
  const task = oneChunkTask({ stored: references, coding: pointing, storedShape: [3] }, target)
  const read = async ({ offset, length }: ByteRange) => collection.subarray(offset - 4096, offset - 4096 + length)

  test('are decoded in a thread, for which the source is read here', async (t) => {
    const workers = recodeWorkers({ threads: 1 })
    t.after(() => workers.close())
    const bytes = Buffer.from(await workers.run(task, undefined, read))
    assert.equal(bytes.toString('hex'), '03000000' + '030000006f6e65' + '0300000074776f' + '030000006f6e65')
  })

  test('fail as their source fails, and leave the thread to the next one', async (t) => {
    const workers = recodeWorkers({ threads: 1 })
    t.after(() => workers.close())
    const failure = new VirtualZarrError('source-changed', 'the source is another one now')
    const fail = () => Promise.reject(failure)
    await assert.rejects(workers.run(task, undefined, fail), (error) => error === failure)
    assert.ok((await workers.run(task, undefined, read)).length > 0)
  })

  test('may wait for their source longer than they may work', async (t) => {
    const workers = recodeWorkers({ threads: 1, deadlineMs: 2500 })
    t.after(() => workers.close())
    await workers.run(task, undefined, read)
    const late = async (range: ByteRange) => {
      await setTimeout(3000)
      return await read(range)
    }
    assert.ok((await workers.run(task, undefined, late)).length > 0)
  })
})
