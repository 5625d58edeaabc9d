import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VirtualNode } from '../../src/model/virtual-store.ts'
import { withClientNames } from '../../src/views/names.ts'
import { onlyVariables } from '../../src/views/subset.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'
import { listener, virtualArray, virtualGroup } from '../helpers/virtual-array.ts'

function named(names: readonly string[]) {
  const heard = listener()
  const members = Object.fromEntries(names.map((name) => [name, virtualArray()]))
  const root = withClientNames(virtualGroup(members), heard.warn)
  assert.equal(root.kind, 'group')
  return { names: root.kind === 'group' ? [...root.members.keys()] : [], seen: heard.seen, root }
}

function originalName(root: VirtualNode, name: string): unknown {
  const member = root.kind === 'group' ? root.members.get(name) : undefined
  return member?.kind === 'array' ? member.attributes.get('virtual_zarr:name') : undefined
}

test('names that break clients are replaced, unique, and kept as an attribute', () => {
  const { names, seen, root } = named(['a:b', 'a_b', 'a#b', 'x%2F?', '__hidden', 'a\\b', 'plain name'])
  assert.deepEqual(names, ['a_b_2', 'a_b', 'a_b_3', 'x_2F_', '_hidden', 'a_b_4', 'plain name'])
  assert.equal(originalName(root, 'a_b_2'), 'a:b')
  assert.equal(originalName(root, 'a_b'), undefined)
  assert.equal(seen.length, 5)
  assert.deepEqual(seen[0], { ...seen[0], code: 'name-changed', path: 'a_b_2' })
})

// Every file of CMIP6 has it: the name of a variable in the model's own output.
test("a source's own attribute original_name stays what it is", () => {
  const attributes = new Map([['original_name', 'tas2m']])
  const root = withClientNames(virtualGroup({ 'a:b': virtualArray({ attributes }) }), () => undefined)
  const member = root.kind === 'group' ? root.members.get('a_b') : undefined
  assert.ok(member?.kind === 'array')
  assert.deepEqual(Object.fromEntries(member.attributes), { original_name: 'tas2m', 'virtual_zarr:name': 'a:b' })
})

test('blanks at the ends of a name are replaced: some clients drop them and would read another array', () => {
  const { names } = named(['a', ' a', 'a ', '\u00a0a', 'a\u3000', '\u0085a', '  ', 'a b'])
  assert.deepEqual(names, ['a', '_a', 'a_', '_a_2', 'a_2', '_a_3', '_', 'a b'])
})

test('a part of a tree has the names that it has in the whole one', () => {
  const inner = virtualGroup({ 't:': virtualArray(), t_: virtualArray() })
  const whole = virtualGroup({ 'a:b': inner, a_b: virtualArray() })
  const part = onlyVariables(whole, ['a:b/t:'])
  const heard = listener()
  const root = withClientNames(part, heard.warn, whole)
  assert.deepEqual(
    heard.seen.map(({ path }) => path),
    ['a_b_2/t_2', 'a_b_2'],
  )
  assert.ok(root.kind === 'group' && root.members.has('a_b_2') && root.members.size === 1)
})

test('names that the specification reserves are replaced', () => {
  assert.deepEqual(named(['', '.', '..', '....', 'zarr.json', '..a']).names, [
    '_',
    '_2',
    '_3',
    '_4',
    'zarr_json',
    '..a',
  ])
})

test('names below are changed with their path, and dimension names are left alone', () => {
  const heard = listener()
  const inner = virtualGroup({ 'b/c': virtualArray({ dimensionNames: ['x:1', 'y'] }) })
  const skipped = { kind: 'skipped', code: 'malformed-source', reason: 'broken' } as const
  const root = withClientNames(virtualGroup({ 'a:': inner, 's?': skipped }), heard.warn)
  const group = root.kind === 'group' ? root.members.get('a_') : undefined
  const array = group?.kind === 'group' ? group.members.get('b_c') : undefined
  assert.deepEqual(array?.kind === 'array' && array.dimensionNames, ['x:1', 'y'])
  assert.deepEqual(
    heard.seen.map(({ path }) => path),
    ['a_/b_c', 'a_', 's_'],
  )
  assert.deepEqual(root.kind === 'group' && root.members.get('s_'), skipped)
})

test('thousands of equal names are told apart in reasonable time', () => {
  const start = processorMilliseconds()
  const { names } = named(
    Array.from(
      { length: 20_000 },
      (_, index) =>
        '#'.repeat(1 + (index % 2)) + String.fromCodePoint(0x4e00 + (index >> 1)).replace(/./u, ':'.repeat(index % 7)),
    ),
  )
  assert.equal(new Set(names).size, names.length)
  const many = named(
    Array.from({ length: 16_384 }, (_, bits) =>
      [...bits.toString(2).padStart(14, '0')].map((bit) => (bit === '0' ? ':' : '#')).join(''),
    ),
  )
  assert.equal(many.names.length, 16_384)
  assert.ok(processorMilliseconds() - start < 2000)
})
