import { isOwnFault } from '../../../model/skipped-array.ts'
import type { Diagnostic, Member, VirtualGroup } from '../../../model/virtual-store.ts'
import type { ObjectGraph } from '../graph.ts'
import type { Link } from '../messages/link.ts'
import { memberInSource } from './in-source.ts'
import type { OtherFiles } from './other-files.ts'

/** What external links lead to; those that can't be followed are told, and lead to nothing. */
export async function followExternalLinks(
  graph: ObjectGraph,
  others: OtherFiles,
  warn: (diagnostic: Diagnostic) => void,
): Promise<ReadonlyMap<Link, Member>> {
  const followed = new Map<Link, Member>()
  const follow = async (link: Link, file: string, path: string, group: string): Promise<void> => {
    try {
      const { root, reference } = await others.parsed(file)
      const member = memberAt(root, path)
      if (member !== undefined) followed.set(link, memberInSource(member, reference))
      else warn(notFollowed(group, link, `there is no ${path} in ${file}`))
    } catch (error) {
      if (!isOwnFault(error)) throw error
      warn(notFollowed(group, link, error.message))
    }
  }
  const links: Promise<void>[] = []
  for (const object of graph.objects.values()) {
    if (object.kind !== 'group') continue
    const group = graph.paths.get(object.address) ?? ''
    for (const link of object.links) {
      if (link.target.kind === 'external') links.push(follow(link, link.target.file, link.target.path, group))
    }
  }
  await Promise.all(links)
  return followed
}

function notFollowed(group: string, { name }: Link, reason: string): Diagnostic {
  const path = group === '' ? name : `${group}/${name}`
  return { code: 'link-not-followed', message: `an external link that is not followed: ${reason}`, path }
}

/** The node at a path of a tree. */
export function memberAt(root: VirtualGroup, path: string): Member | undefined {
  let member: Member | undefined = root
  for (const name of path.split('/').filter((part) => part !== '' && part !== '.')) {
    member = member?.kind === 'group' ? member.members.get(name) : undefined
  }
  return member
}
