import { invalidRequest, malformed, overBudget, type VirtualZarrError } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { isOwnFault } from '../../model/skipped-array.ts'
import { type Diagnostic, MOST_NODES } from '../../model/virtual-store.ts'
import { type FileObject, readObject } from './objects.ts'
import type { MessageReader } from './structures/shared-message.ts'

/** An object that can't be read: whoever links to it says so. */
interface BrokenObject {
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
  /** Of a graph of one group: those above it with all their links, of which but one was followed. */
  readonly above: readonly GroupObject[]
}

interface ObjectDiagnostic {
  readonly address: number
  readonly diagnostic: Diagnostic
}

/** Objects of a group that are read at the same time. */
const AT_ONCE = 512

/**
 * Reads all objects, many of a group at the same time, or those of the group at a path; only a root group that can't be read is an
 * error.
 */
export async function readGraph(
  reader: MessageReader,
  rootAddress: number,
  path: readonly string[] = [],
): Promise<ObjectGraph> {
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
    if (seen.size > MOST_NODES) throw tooManyObjects(objects, rootAddress, path)
    return addresses
  }

  async function visit(address: number): Promise<readonly number[]> {
    const object = await readOrBroken(reader, address, (diagnostic) => diagnostics.push({ address, diagnostic }))
    objects.set(address, object)
    return object.kind === 'group' ? found(object) : []
  }

  const above: GroupObject[] = []
  let level: readonly number[] = [rootAddress]
  for (const name of path) {
    const [address = rootAddress] = level
    const group = await readOrBroken(reader, address, (diagnostic) => diagnostics.push({ address, diagnostic }))
    if (group.kind !== 'group') break
    const link = group.links.find((candidate) => candidate.name === name)
    if (link?.target.kind !== 'hard') throw noSuchGroup(path, group)
    above.push(group)
    objects.set(address, { ...group, links: [link] })
    level = [link.target.address]
    seen.add(link.target.address)
  }
  // Level by level: a file of too many objects is refused when its groups were read, and before what is in them is.
  while (level.length > 0) level = (await inParallel(level, Math.min(level.length, AT_ONCE), visit)).flat()
  const root = objects.get(rootAddress)
  if (root?.kind === 'broken') throw root.error
  if (root?.kind !== 'group') throw malformed('the root of the file is no group')
  return { root, objects, paths: pathsOf(root, objects), diagnostics, above }
}

const MAX_NAMED_GROUPS = 20

function noSuchGroup(path: readonly string[], { links }: GroupObject): VirtualZarrError {
  const names = links.slice(0, MAX_NAMED_GROUPS).map(({ name }) => name.slice(0, 100))
  const there = `${names.join(', ')}${links.length > names.length ? ', …' : ''}`
  return invalidRequest(
    `the source has no group ${path.join('/')}; the last one that exists has ${there || 'nothing'}`,
    {
      option: 'group',
    },
  )
}

/** Names the option by which a part of the file can be served, and groups that it may name. */
function tooManyObjects(
  objects: ReadonlyMap<number, GraphObject>,
  rootAddress: number,
  path: readonly string[],
): VirtualZarrError {
  const what = path.length === 0 ? 'the file' : `the group ${path.join('/')}`
  const last = objects.get(rootAddress)
  const groups = (last?.kind === 'group' && path.length === 0 ? last.links : []).flatMap(({ name, target }) =>
    target.kind === 'hard' && objects.get(target.address)?.kind === 'group' ? [name] : [],
  )
  const named = groups.sort().slice(0, MAX_NAMED_GROUPS).join(', ')
  const there = groups.length === 0 ? '' : ` (${named}${groups.length > MAX_NAMED_GROUPS ? ', …' : ''})`
  const message = `${what} has more than ${MOST_NODES} objects; ;group=PATH serves one of its groups${there}`
  return overBudget(message, { option: 'group' })
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

/** One object by its address; what its attributes have to say is told by whoever links to it. */
export async function readGraphObject(reader: MessageReader, address: number): Promise<GraphObject> {
  return await readOrBroken(reader, address, () => undefined)
}
