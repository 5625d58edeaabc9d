import { malformed, overBudget, type VirtualZarrError } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { isOwnFault } from '../../model/skipped-array.ts'
import { type Diagnostic, MOST_NODES } from '../../model/virtual-store.ts'
import { type FileObject, readObject } from './objects.ts'
import type { MessageReader } from './structures/shared-message.ts'

/** An object that can't be read: whoever links to it says so. */
export interface BrokenObject {
  readonly kind: 'broken'
  readonly address: number
  readonly error: VirtualZarrError
}

export type GraphObject = FileObject | BrokenObject
export type GroupObject = Extract<FileObject, { kind: 'group' }>

/** Everything that hard links lead to from the root, by address. */
export interface ObjectGraph {
  readonly root: GroupObject
  readonly objects: ReadonlyMap<number, GraphObject>
  /** The shortest path to each object, without a leading slash. */
  readonly paths: ReadonlyMap<number, string>
  readonly diagnostics: readonly ObjectDiagnostic[]
}

export interface ObjectDiagnostic {
  readonly address: number
  readonly diagnostic: Diagnostic
}

/** Objects of a group that are read at the same time. */
const AT_ONCE = 512

/** Reads all objects, many of a group at the same time; only a root group that can't be read is an error. */
export async function readGraph(reader: MessageReader, rootAddress: number): Promise<ObjectGraph> {
  const objects = new Map<number, GraphObject>()
  const diagnostics: ObjectDiagnostic[] = []
  const seen = new Set([rootAddress])

  /** The objects that a group leads to, but for those that were found already; counted before any of them is read. */
  function found(group: GroupObject): number[] {
    const addresses: number[] = []
    for (const { target } of group.links) {
      if (target.kind !== 'hard' || seen.has(target.address)) continue
      seen.add(target.address)
      addresses.push(target.address)
    }
    if (seen.size > MOST_NODES) throw overBudget(`the file has more than ${MOST_NODES} objects`)
    return addresses
  }

  async function visit(address: number): Promise<void> {
    const object = await readOrBroken(reader, address, (diagnostic) => diagnostics.push({ address, diagnostic }))
    objects.set(address, object)
    if (object.kind !== 'group') return
    const below = found(object)
    await inParallel(below, Math.min(below.length, AT_ONCE), visit)
  }

  await visit(rootAddress)
  const root = objects.get(rootAddress)
  if (root?.kind === 'broken') throw root.error
  if (root?.kind !== 'group') throw malformed('the root of the file is no group')
  return { root, objects, paths: pathsOf(root, objects), diagnostics }
}

async function readOrBroken(
  reader: MessageReader,
  address: number,
  warn: (diagnostic: Diagnostic) => void,
): Promise<GraphObject> {
  try {
    return await readObject(reader, address, warn)
  } catch (error) {
    if (!isOwnFault(error)) throw error
    return { kind: 'broken', address, error }
  }
}

/** Breadth first: an object with several links is known by the one that is nearest to the root. */
function pathsOf(root: GroupObject, objects: ReadonlyMap<number, GraphObject>): ReadonlyMap<number, string> {
  const paths = new Map<number, string>([[root.address, '']])
  let level: readonly GroupObject[] = [root]
  while (level.length > 0) {
    const below: GroupObject[] = []
    for (const group of level) {
      const path = paths.get(group.address) ?? ''
      for (const { name, target } of group.links) {
        if (target.kind !== 'hard' || paths.has(target.address)) continue
        paths.set(target.address, path === '' ? name : `${path}/${name}`)
        const object = objects.get(target.address)
        if (object?.kind === 'group') below.push(object)
      }
    }
    level = below
  }
  return paths
}
