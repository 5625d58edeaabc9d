import { withTextMembers } from '../../model/characters.ts'
import type { Member, VirtualNode } from '../../model/virtual-store.ts'

/** Names that Kerchunk and VirtualiZarr make up where a file has none: such a file is not NetCDF's. */
const INVENTED = /^phony_dim_/

/** References describe files of NetCDF as a rule, and say in `_ARRAY_DIMENSIONS` what its dimensions are. */
export function withTexts(root: VirtualNode): VirtualNode {
  if (root.kind === 'array') return root
  const members = new Map<string, Member>()
  for (const [name, member] of root.members) members.set(name, member.kind === 'group' ? withTexts(member) : member)
  return { ...root, members: withTextMembers(members, (dimension) => !INVENTED.test(dimension)) }
}
