import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Coding } from '../../src/compose/coding.ts'
import { oneChunkTask } from '../../src/delivery/composed-chunk.ts'
import type { ComposeTask } from '../../src/delivery/delivery.ts'
import { recode } from '../../src/delivery/recoding/recode.ts'
import { TaskReceiver, TaskSender } from '../../src/delivery/recoding/task-message.ts'
import { BIG, INT16, LITTLE } from './world.ts'

const FILL = { kind: 'number', value: 0 } as const

function codingOf(encoding = [BIG]): Coding {
  return new Coding({ encoding, layout: { shape: [2], dataType: INT16 }, fillValue: FILL })
}

function taskOf(coding: Coding, target: Coding): ComposeTask {
  return oneChunkTask({ stored: Uint8Array.of(0, 1, 0, 2), coding, storedShape: [2] }, target)
}

/** What arrives: a thread gets a copy. */
function arrived(sender: TaskSender, task: ComposeTask) {
  return structuredClone(sender.pack(task).message)
}

test('a thread is told once how chunks are coded, and makes it ready once', async () => {
  const sender = new TaskSender()
  const receiver = new TaskReceiver()
  const task = taskOf(codingOf(), codingOf([LITTLE]))
  const first = arrived(sender, task)
  const second = arrived(sender, task)
  assert.deepEqual([first.define.length, second.define.length], [2, 0])
  const [one, other] = [receiver.unpack(first), receiver.unpack(second)]
  assert.ok(one.kind === 'compose' && other.kind === 'compose')
  assert.equal(one.target, other.target)
  assert.equal(one.target.pipeline(), other.target.pipeline())
  for (const arrivedTask of [one, other]) assert.deepEqual([...(await recode(arrivedTask))], [1, 0, 2, 0])
})

test('a thread keeps the codings that were used last; what it forgot is told again', async () => {
  const sender = new TaskSender()
  const receiver = new TaskReceiver()
  const target = codingOf([LITTLE])
  const codings = Array.from({ length: 600 }, () => codingOf())
  let known = 0
  for (const coding of [...codings, ...codings.slice(-10), ...codings.slice(0, 10)]) {
    const message = arrived(sender, taskOf(coding, target))
    known += message.define.length - message.forget.length
    assert.ok(known <= 256)
    assert.deepEqual([...(await recode(receiver.unpack(message)))], [1, 0, 2, 0])
  }
  assert.equal(arrived(sender, taskOf(codings[9] ?? target, target)).define.length, 0)
  assert.equal(arrived(sender, taskOf(codings[100] ?? target, target)).define.length, 1)
})

test('a task may name more codings than a thread keeps', async () => {
  const sender = new TaskSender()
  const receiver = new TaskReceiver()
  const target = codingOf([LITTLE])
  const chunks = Array.from({ length: 300 }, () => taskOf(codingOf(), target).chunks).flat()
  const message = arrived(sender, { ...taskOf(codingOf(), target), chunks })
  assert.deepEqual([message.define.length, message.forget.length], [301, 45])
  assert.deepEqual([...(await recode(receiver.unpack(message)))], [1, 0, 2, 0])
})

test('chunks that are cut off at an edge are prepared by their shape', async () => {
  const coding = codingOf()
  assert.deepEqual(coding.pipeline([1]).layout.shape, [1])
  assert.equal(coding.pipeline([1]), coding.pipeline([1]))
  assert.deepEqual(coding.pipeline([2]).layout.shape, [2])
  assert.equal(coding.pipeline(), coding.pipeline([2]))
  assert.deepEqual(coding.pipeline([0]).layout.shape, [0])
})
