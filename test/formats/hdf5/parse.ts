import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { hdf5 } from '../../../src/formats/hdf5/index.ts'
import type { Member, VirtualGroup } from '../../../src/model/virtual-store.ts'
import { type CountingSource, countingSource, parseContext } from './counting-source.ts'

export const FIXTURES = new URL('../../fixtures/hdf5/', import.meta.url)

/** A parsed fixture, and what was said and read while parsing it. */
export async function parseFixture(name: string, sentinel: 'auto' | 'error' = 'auto') {
  return await parseBytes(new Uint8Array(readFileSync(new URL(name, FIXTURES))), sentinel)
}

export async function parseBytes(bytes: Uint8Array, sentinel: 'auto' | 'error' = 'auto') {
  const source: CountingSource = countingSource(bytes)
  const { context, diagnostics } = parseContext(sentinel)
  const root = await hdf5.parse(source, context)
  assert.ok(root.kind === 'group')
  return { root, source, diagnostics }
}

/** All members that are not groups, by path. */
export function leavesOf(group: VirtualGroup, path = ''): Map<string, Exclude<Member, VirtualGroup>> {
  const leaves = new Map<string, Exclude<Member, VirtualGroup>>()
  for (const [name, member] of group.members) {
    const below = path === '' ? name : `${path}/${name}`
    if (member.kind !== 'group') leaves.set(below, member)
    else for (const [key, leaf] of leavesOf(member, below)) leaves.set(key, leaf)
  }
  return leaves
}
