import { DamagedEntry, type Decoder } from '../../manifests/decode.ts'
import type { Encoder } from '../../manifests/encode.ts'
import { MOST_DEPTH } from '../../manifests/tags.ts'
import { NotWritten } from '../../model/recipe.ts'
import type { Member, VirtualGroup } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'

/** A group without its members, which follow it in the order of their names. */
interface WrittenGroup extends Omit<VirtualGroup, 'members'> {
  readonly names: readonly string[]
}

/** Writes a tree, member by member, so that a large one stops nobody else. */
export async function writeTree(encoder: Encoder, node: Member, depth = 0): Promise<void> {
  const wait = turn()
  if (wait !== undefined) await wait
  if (node.kind !== 'group') return encoder.write(node)
  if (depth === MOST_DEPTH) throw new NotWritten(`groups within each other ${MOST_DEPTH} times`)
  const { members, ...own } = node
  const group: WrittenGroup = { ...own, names: [...members.keys()] }
  encoder.write(group)
  for (const member of members.values()) await writeTree(encoder, member, depth + 1)
}

/** Reads what `writeTree` wrote. */
export async function readTree(decoder: Decoder, depth = 0): Promise<Member> {
  const wait = turn()
  if (wait !== undefined) await wait
  const node = decoder.read() as Exclude<Member, VirtualGroup> | WrittenGroup
  if (node.kind !== 'group') return node
  if (depth === MOST_DEPTH) throw new DamagedEntry('groups within each other without end')
  const { names, ...own } = node
  const members = new Map<string, Member>()
  for (const name of names) members.set(name, await readTree(decoder, depth + 1))
  return { ...own, members }
}
