import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import type { VirtualNode } from '../../src/model/virtual-store.ts'
import { onlyVariables, subGroup } from '../../src/views/subset.ts'
import { listener, virtualArray, virtualGroup } from '../helpers/virtual-array.ts'

function paths(root: VirtualNode, path = ''): string[] {
  if (root.kind === 'array') return [path]
  return [...root.members].flatMap(([name, member]) => {
    const below = path === '' ? name : `${path}/${name}`
    return member.kind === 'group' ? paths(member, below) : [below]
  })
}

const inner = virtualGroup({
  t: virtualArray({ dimensionNames: ['time', 'x'], attributes: new Map([['grid_mapping', 'crs: x other']]) }),
  u: virtualArray(),
  broken: { kind: 'skipped', code: 'malformed-source', reason: 'no header' },
})
const root = virtualGroup({
  time: virtualArray({ attributes: new Map([['bounds', new TextEncoder().encode('time_bnds')]]) }),
  time_bnds: virtualArray(),
  x: virtualArray(),
  crs: virtualArray(),
  v: virtualArray({ attributes: new Map([['coordinates', 'x  lat']]) }),
  g: inner,
})

test('a group is found by its path', () => {
  assert.equal(subGroup(root, 'g'), inner)
  assert.equal(subGroup(root, '/g/t/'), inner.members.get('t'))
  assert.throws(
    () => subGroup(root, 'g/broken'),
    (error) => isVirtualZarrError(error, 'malformed-source'),
  )
})

test('a group or variable is found by the name that is served as by its own', () => {
  const odd = virtualGroup({
    'a:b': virtualGroup({ '50%': virtualArray(), plain: virtualArray() }),
    a_b: virtualGroup({}),
  })
  const group = odd.members.get('a:b')
  assert.equal(subGroup(odd, 'a:b'), group)
  assert.equal(subGroup(odd, 'a_b_2'), group)
  assert.equal(subGroup(odd, 'a_b'), odd.members.get('a_b'))
  for (const name of ['a:b/50%', 'a_b_2/50_', 'a_b_2/50%'])
    assert.deepEqual(paths(onlyVariables(odd, [name])), ['a:b/50%'])
})

test('a group that does not exist is refused with those that do, at most twenty', () => {
  const refused = (node: VirtualNode, path: string, message: RegExp) =>
    assert.throws(
      () => subGroup(node, path),
      (error) => isVirtualZarrError(error, 'invalid-request') && message.test(error.message),
    )
  refused(virtualGroup({ g: inner, 'h:': virtualGroup({ i: virtualGroup({}) }) }), 'g/none', /groups are g, h_, h_\/i$/)
  refused(root, 'v/none', /no group v\/none; its groups are g$/)
  refused(inner, 'none', /it has no groups$/)
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_empty, i) => [`g${i}`, virtualGroup({})]))
  refused(virtualGroup(many), 'none', /g18, g19, …$/)
})

test('a variable brings its dimensions, coordinates, grid mapping and their bounds, from the groups above too', () => {
  assert.deepEqual(paths(onlyVariables(root, ['g/t'])), ['time', 'time_bnds', 'x', 'crs', 'g/t'])
  assert.deepEqual(paths(onlyVariables(root, ['v'])), ['x', 'v'])
})

test('a group stands for all that is in it', () => {
  assert.deepEqual(paths(onlyVariables(root, ['g'])), ['time', 'time_bnds', 'x', 'crs', 'g/t', 'g/u', 'g/broken'])
})

test('unknown names are refused by name', () => {
  assert.throws(
    () => onlyVariables(root, ['v', 'nope', 'g/nope', 'v/x']),
    (error) =>
      isVirtualZarrError(error, 'invalid-request') &&
      /nope, g\/nope, v\/x; its variables are time, time_bnds, x, crs, v, g\/t, g\/u, g\/broken$/.test(error.message),
  )
  assert.throws(
    () => onlyVariables(virtualArray(), ['v']),
    (error) => isVirtualZarrError(error, 'invalid-request'),
  )
  assert.deepEqual(listener().codes(), [])
})
