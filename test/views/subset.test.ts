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
  assert.equal(subGroup(root, 'g/none'), undefined)
  assert.equal(subGroup(root, 'v/none'), undefined)
  assert.throws(
    () => subGroup(root, 'g/broken'),
    (error) => isVirtualZarrError(error, 'malformed-source'),
  )
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
    (error) => isVirtualZarrError(error, 'invalid-request') && /nope, g\/nope, v\/x$/.test(error.message),
  )
  assert.throws(
    () => onlyVariables(virtualArray(), ['v']),
    (error) => isVirtualZarrError(error, 'invalid-request'),
  )
  assert.deepEqual(listener().codes(), [])
})
