import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttributeValue } from '../../src/model/virtual-store.ts'
import { checkTreeSize } from '../../src/service/tree-size.ts'
import { virtualArray, virtualGroup } from '../helpers/virtual-array.ts'

const named = (count: number) => Array.from({ length: count }, (_, at): [string, AttributeValue] => [`a${at}`, at])

function withAttributes(attributes: readonly (readonly [string, AttributeValue])[]) {
  return { ...virtualArray(), attributes: new Map(attributes) }
}

test('a node has at most 32,768 attributes, members of those that are objects included', () => {
  checkTreeSize(withAttributes(named(32_700)))
  const tooMany = { code: 'limit-exceeded', message: /32768 attributes/ }
  assert.throws(() => checkTreeSize(withAttributes(named(32_769))), tooMany)
  const nested = Object.fromEntries(named(32_768))
  assert.throws(() => checkTreeSize(withAttributes([['a', nested]])), tooMany)
  // It is a bound of each node, not of all.
  checkTreeSize(virtualGroup({ one: withAttributes(named(20_000)), other: withAttributes(named(20_000)) }))
})

test('documents count as they are written: a control character is six, a number sixteen', () => {
  const tooLong = { code: 'limit-exceeded', message: /characters/ }
  const text = (length: number, character: string) => withAttributes([['a', character.repeat(length)]])
  checkTreeSize(text(15_000_000, 'x'))
  assert.throws(() => checkTreeSize(text(17_000_000, 'x')), tooLong)
  checkTreeSize(text(2_500_000, '\u0001'))
  assert.throws(() => checkTreeSize(text(3_000_000, '\u0001')), tooLong)
  assert.throws(() => checkTreeSize(withAttributes([['a', new Uint8Array(3_000_000)]])), tooLong)
  assert.throws(() => checkTreeSize(withAttributes([['a', new Array<number>(1_100_000).fill(1)]])), tooLong)
})
