import type { Member, VirtualArray, VirtualNode } from '../../src/model/virtual-store.ts'

/** What lies at a path of a parsed tree; undefined when nothing does. */
export function memberAt(root: VirtualNode, path: string): Member | undefined {
  let member: Member | undefined = root
  for (const name of path === '' ? [] : path.split('/')) {
    member = member?.kind === 'group' ? member.members.get(name) : undefined
  }
  return member
}

/** The array at a path. */
export function arrayAt(root: VirtualNode, path: string): VirtualArray {
  const member = memberAt(root, path)
  if (member?.kind === 'array') return member
  throw new Error(`${path} is no array: ${member?.kind === 'skipped' ? member.reason : member?.kind}`)
}

/** Why something is not served. */
export function reasonAt(root: VirtualNode, path: string): string {
  const member = memberAt(root, path)
  if (member?.kind === 'skipped') return member.reason
  throw new Error(`${path} is not skipped: ${member?.kind}`)
}
