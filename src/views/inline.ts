import { invalidRequest, overLimit } from '../errors.ts'
import { gridShapeOf } from '../model/chunk-index.ts'
import { itemSize } from '../model/data-type.ts'
import { ORIGINAL_NAME } from '../model/original-name.ts'
import { elementCount } from '../model/shape.ts'
import type { Diagnostic, Member, VirtualArray, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'
import { joinedPath } from './names.ts'
import { MOST_SOURCE_CHUNKS } from './rechunk.ts'
import { arrayPaths, listed } from './subset.ts'
import { rechunked } from './window.ts'

/** Which arrays are inlined: those that are named, and those that are small. */
export interface InlineChoice {
  readonly names: readonly string[]
  /** Any array of at most so many bytes. */
  readonly bytes: number
  /** Arrays of one dimension that are named after it, of at most so many. */
  readonly coordinateBytes: number
}

/** One array; and all of a store, which an export holds in memory. */
export const MOST_INLINE_BYTES = 16 * 2 ** 20
export const MOST_INLINED_BYTES = 64 * 2 ** 20

/** What a text of any length is reckoned at. */
const TEXT_BYTES = 32

/**
 * Some arrays as one chunk each, put together once and kept, which exports hold instead of references. Those that are named are, or it is
 * said why they can't be; of small ones as many as there is room for.
 */
export function withInline(
  root: VirtualNode,
  choice: InlineChoice,
  warn: (diagnostic: Diagnostic) => void,
): VirtualNode {
  const named = namedArrays(root, choice.names)
  let left = MOST_INLINED_BYTES - roomOfNamed(named)
  const others: string[] = []
  const view = (member: Member, path: string): Member => {
    if (member.kind === 'skipped') return member
    if (member.kind === 'group') return withMembers(member, path, view)
    if (named.has(path)) return inlined(member)
    if (!isSmall(member, path, choice)) return member
    if (obstacleTo(member) !== undefined || inlinedBytes(member) > left) {
      others.push(path)
      return member
    }
    left -= inlinedBytes(member)
    return inlined(member)
  }
  const whole = root.kind === 'array' ? view(root, '') : withMembers(root, '', view)
  if (others.length > 0) warn(notInlined(others))
  return whole.kind === 'skipped' ? root : whole
}

function withMembers(group: VirtualGroup, path: string, view: (member: Member, path: string) => Member): VirtualGroup {
  const members = new Map<string, Member>()
  for (const [name, member] of group.members) members.set(name, view(member, joinedPath(path, name)))
  return { ...group, members }
}

function inlined(array: VirtualArray): VirtualArray {
  const isEmpty = array.shape.includes(0)
  return { ...(isEmpty ? array : rechunked(array, array.shape)), isInlined: true }
}

/** What the values of an array take, texts as they are reckoned. */
export function inlinedBytes({ shape, dataType }: VirtualArray): number {
  return elementCount(shape) * (itemSize(dataType) ?? TEXT_BYTES)
}

function isSmall(array: VirtualArray, path: string, { bytes, coordinateBytes }: InlineChoice): boolean {
  const { shape, dimensionNames = [] } = array
  const isCoordinate = shape.length === 1 && dimensionNames[0] === path.slice(path.lastIndexOf('/') + 1)
  return inlinedBytes(array) <= (isCoordinate ? Math.max(bytes, coordinateBytes) : bytes)
}

/** Why an array can't be one chunk. */
function obstacleTo(array: VirtualArray): string | undefined {
  const bytes = inlinedBytes(array)
  if (bytes > MOST_INLINE_BYTES) return `it has ${bytes} bytes, at most ${MOST_INLINE_BYTES} are inlined`
  const chunks = elementCount(gridShapeOf(array.shape, array.chunkShape))
  if (chunks > MOST_SOURCE_CHUNKS) return `it has ${chunks} chunks, at most ${MOST_SOURCE_CHUNKS} are made one`
  return undefined
}

function roomOfNamed(named: ReadonlyMap<string, VirtualArray>): number {
  let bytes = 0
  for (const [path, array] of named) {
    const obstacle = obstacleTo(array)
    if (obstacle !== undefined) throw overLimit(`${path} can't be inlined: ${obstacle}`, { option: 'inline' })
    bytes += inlinedBytes(array)
  }
  if (bytes <= MOST_INLINED_BYTES) return bytes
  throw overLimit(`the arrays that inline names have ${bytes} bytes, at most ${MOST_INLINED_BYTES} are inlined`, {
    option: 'inline',
  })
}

function notInlined(paths: readonly string[]): Diagnostic {
  const shown = paths.slice(0, 10).join(', ')
  const message = `${paths.length} arrays are small enough for inline, but have too many chunks, or there is no room for them: ${shown}`
  return { code: 'not-inlined', message, values: [...paths.slice(0, 100)] }
}

/** The arrays that names lead to, by path; a group stands for all that is in it. */
function namedArrays(root: VirtualNode, names: readonly string[]): ReadonlyMap<string, VirtualArray> {
  const found = new Map<string, VirtualArray>()
  if (names.length === 0) return found
  if (root.kind === 'array') throw invalidRequest('the source is one array, without variables', { option: 'inline' })
  const unknown = names.filter((name) => !collect(root, '', name.split('/'), found))
  if (unknown.length === 0) return found
  const there = listed(arrayPaths(root, ''), 'variables')
  throw invalidRequest(`the source has no variable ${unknown.slice(0, 10).join(', ')}; ${there}`, { option: 'inline' })
}

/** False where the names lead nowhere. */
function collect(node: Member, path: string, names: readonly string[], found: Map<string, VirtualArray>): boolean {
  const [asked, ...rest] = names
  if (asked === undefined) {
    if (node.kind === 'array') found.set(path, node)
    if (node.kind === 'group')
      for (const [name, member] of node.members) collect(member, joinedPath(path, name), [], found)
    return true
  }
  if (node.kind !== 'group') return false
  const name = node.members.has(asked) ? asked : servedName(node, asked)
  const member = name === undefined ? undefined : node.members.get(name)
  return name !== undefined && member !== undefined && collect(member, joinedPath(path, name), rest, found)
}

/** What a member is called here that has another name in the source. */
function servedName({ members }: VirtualGroup, original: string): string | undefined {
  for (const [name, member] of members)
    if (member.kind !== 'skipped' && member.attributes.get(ORIGINAL_NAME) === original) return name
  return undefined
}
