import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { readChunks, readSelect, selectText } from '../../src/service/view-options.ts'

const select = (text: string) => [...readSelect(text, 'select')]
const chunks = (text: string) => [...readChunks(text, 'chunks')]

function refuses(read: (text: string) => unknown, text: string, option: string): void {
  assert.throws(
    () => read(text),
    (error) =>
      isVirtualZarrError(error, 'invalid-request') &&
      error.message.startsWith(`option ${option} is `) &&
      error.context.option === option,
    text.slice(0, 60),
  )
}

test('select: ranges of indexes by dimension, in the order given', () => {
  assert.deepEqual(select('time:2..10'), [['time', { from: 2, to: 10 }]])
  assert.deepEqual(select('x:0..1,time:5..6'), [
    ['x', { from: 0, to: 1 }],
    ['time', { from: 5, to: 6 }],
  ])
})

test('select: either side of a range may be left out', () => {
  assert.deepEqual(select('x:3..'), [['x', { from: 3, to: undefined }]])
  assert.deepEqual(select('x:..7'), [['x', { from: 0, to: 7 }]])
  assert.deepEqual(select('x:..'), [['x', { from: 0, to: undefined }]])
})

test('select: blanks around names and ranges are none, and a name may have a colon', () => {
  assert.deepEqual(select(' x : 1..2 , y:0..3'), [
    ['x', { from: 1, to: 2 }],
    ['y', { from: 0, to: 3 }],
  ])
  assert.deepEqual(select('band:red:1..2'), [['band:red', { from: 1, to: 2 }]])
})

test('select: a range is never empty, and nothing else is a range', () => {
  const bad = ['', 'x', 'x:', ':1..2', 'x:1', 'x:5..5', 'x:5..4', 'x:..0', 'x:-1..2', 'x:1.5..2', 'x:1...2', 'x:a..b']
  for (const text of [...bad, 'x:1..2,', 'x:1..2,,y:1..2', `x:${'9'.repeat(16)}..`]) {
    refuses(select, text, 'select')
  }
})

test('select and chunks: each dimension once, at most a hundred, of names that a source can have', () => {
  refuses(select, 'x:1..2,x:3..4', 'select')
  refuses(chunks, 'x:1,x:2', 'chunks')
  const many = (count: number) => Array.from({ length: count }, (_, i) => `d${i}:1`).join(',')
  assert.equal(chunks(many(100)).length, 100)
  refuses(chunks, many(101), 'chunks')
  assert.equal(chunks(`${'n'.repeat(256)}:1`).length, 1)
  refuses(chunks, `${'n'.repeat(257)}:1`, 'chunks')
})

test('chunks: lengths of one or more', () => {
  assert.deepEqual(chunks('time:1,y:100'), [
    ['time', 1],
    ['y', 100],
  ])
  for (const text of ['', 'x', 'x:0', 'x:01', 'x:-1', 'x:1.5', 'x:1e3', `x:${'9'.repeat(16)}`])
    refuses(chunks, text, 'chunks')
})

test('the same ranges have the same text, whatever their order', () => {
  assert.equal(selectText(undefined), '[]')
  const one = selectText(readSelect('x:0..5,y:3..', 'select'))
  assert.equal(one, '[["x",0,5],["y",3,null]]')
  assert.equal(selectText(readSelect('y:3..,x:..5', 'select')), one)
  assert.notEqual(selectText(readSelect('y:3..4,x:..5', 'select')), one)
})
