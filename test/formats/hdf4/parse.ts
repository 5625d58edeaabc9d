import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { hdf4 } from '../../../src/formats/hdf4/index.ts'
import type { Member, VirtualArray, VirtualGroup } from '../../../src/model/virtual-store.ts'
import { memorySource } from '../../../src/source/memory.ts'
import { parseContext } from '../../helpers/parse-context.ts'

const FIXTURES = new URL('../../fixtures/hdf4/', import.meta.url)

/** A fixture's bytes. */
export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, FIXTURES)))
}

/** The tree of a file's bytes, and what was told of it. */
export async function parse(bytes: Uint8Array) {
  const { context, diagnostics } = parseContext()
  const source = memorySource('https://example.org/file.hdf', bytes)
  const root = await hdf4.parse(source, { ...context, reference: () => 1 })
  assert.equal(root.kind, 'group')
  return { root: root as VirtualGroup, diagnostics, source }
}

/** A member by its path. */
export function memberAt(root: VirtualGroup, path: string): Member {
  let member: Member = root
  for (const name of path.split('/')) {
    assert.ok(member.kind === 'group', `${path}: a group`)
    const next: Member | undefined = member.members.get(name)
    assert.ok(next, `${path} is there`)
    member = next
  }
  return member
}

export function arrayAt(root: VirtualGroup, path: string): VirtualArray {
  const member = memberAt(root, path)
  assert.ok(member.kind === 'array', `${path}: ${member.kind === 'skipped' ? member.reason : member.kind}`)
  return member
}
