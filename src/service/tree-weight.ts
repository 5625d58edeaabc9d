import type { VirtualNode } from '../model/virtual-store.ts'

/** What a tree takes in memory, roughly: its chunk indexes know exactly, the rest is estimated. */
export function weightOf(node: VirtualNode): number {
  if (node.kind === 'array') return 2000 + node.attributes.size * 200 + node.chunks.weight()
  let weight = 500 + node.attributes.size * 200
  for (const member of node.members.values()) weight += member.kind === 'skipped' ? 200 : weightOf(member)
  return weight
}
