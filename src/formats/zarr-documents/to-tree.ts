import { type ErrorContext, malformed, VirtualZarrError } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../json/json.ts'
import { dataDimensions, isCharacter } from '../../model/characters.ts'
import { skippedArray } from '../../model/skipped-array.ts'
import type { Attributes, Member, SkippedArray, VirtualNode } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import type { ParseContext } from '../format.ts'
import { isConsolidated, isGroup } from './consolidated.ts'
import type { NodeDocument, NodeDocuments } from './node-documents.ts'
import { arrayFromV2, DIMENSIONS } from './v2-array.ts'
import { arrayFromV3, groupAttributesFromV3 } from './v3-array.ts'
import { type DocumentContext, type PlacedChunks, repairOf, virtualArray, type ZarrArray } from './zarr-array.ts'

/** Where the chunks of an array are, or why it can't be served. */
type Placement = PlacedChunks | SkippedArray
/** Places the chunks of all arrays of a store, by path. */
export type PlaceArrays = (
  arrays: ReadonlyMap<string, ZarrArray>,
) => Promise<(path: string, array: ZarrArray) => Placement>

interface MutableGroup {
  readonly kind: 'group'
  attributes: Attributes
  readonly members: Map<string, MutableMember>
}
type MutableMember = MutableGroup | Exclude<Member, { readonly kind: 'group' }>

/** A node's document in our terms: a group, an array without chunks yet, or an array that is skipped. */
type Described = { readonly kind: 'group'; readonly attributes: Attributes } | ZarrArray | SkippedArray

/** The tree of a store. A bad array is skipped; a bad root is an error. */
export async function treeOf(
  nodes: NodeDocuments,
  url: string,
  context: ParseContext,
  place: PlaceArrays,
): Promise<VirtualNode> {
  const described = new Map<string, Described>()
  for (const [path, node] of nodes) {
    const wait = turn()
    if (wait !== undefined) await wait
    described.set(path, describe(node, path, url, context))
  }
  const arrays = new Map([...described].flatMap(([path, node]) => ('shape' in node ? [[path, node] as const] : [])))
  const placement = await place(arrays)
  const finished = (path: string, node: Described): MutableMember => {
    if (!('shape' in node)) return node.kind === 'group' ? emptyGroup(node.attributes) : node
    const placed = placement(path, node)
    if ('chunks' in placed) return virtualArray(node, placed)
    const dimensions = dataDimensions(node.dimensionNames ?? [], isCharacter(node.dataType))
    return reported({ ...placed, dataDimensions: dimensions }, path, context)
  }
  const root = described.get('')
  if (root !== undefined && 'shape' in root) return rootArray(finished('', root), url)
  const tree = emptyGroup(root?.kind === 'group' ? root.attributes : new Map())
  for (const [path, node] of described) {
    if (path !== '') insert(tree, path, finished(path, node), context)
  }
  tellOfImplied(described, context)
  return tree
}

function rootArray(member: MutableMember, url: string): VirtualNode {
  if (member.kind !== 'skipped') return member
  throw new VirtualZarrError(member.code, member.reason, { url })
}

function emptyGroup(attributes: Attributes): MutableGroup {
  return { kind: 'group', attributes, members: new Map() }
}

function describe(node: NodeDocument, path: string, url: string, context: ParseContext): Described {
  const documentContext: DocumentContext = {
    options: context.options,
    path,
    url,
    warn: (diagnostic) => context.warn(diagnostic),
  }
  try {
    return describeDocument(node, documentContext)
  } catch (error) {
    if (path === '') throw error
    return reported(skippedArray(error, spelledDimensions(node)), path, context)
  }
}

/** Names of dimensions that the document of a skipped array gives all the same. */
function spelledDimensions(node: NodeDocument): readonly (string | null)[] {
  const json = node.kind === 'v3' ? node.document['dimension_names'] : 'zattrs' in node ? node.zattrs?.[DIMENSIONS] : []
  const names = Array.isArray(json) ? json.map((name) => (typeof name === 'string' ? name : null)) : []
  return dataDimensions(names, node.kind === 'v2-array' && node.zarray['dtype'] === '|S1')
}

function describeDocument(node: NodeDocument, context: DocumentContext): Described {
  switch (node.kind) {
    case 'v2-array':
      return arrayFromV2(node, context)
    case 'v2-group':
      return { kind: 'group', attributes: groupAttributes(node.zattrs ?? {}) }
    case 'v3':
      return describeV3(node.document, context)
    case 'broken':
      throw node.error
  }
}

function describeV3(document: JsonObject, context: DocumentContext): Described {
  if (document['node_type'] === 'array') return arrayFromV3(document, context)
  if (isGroup(document)) {
    tellOfGroup(document, context)
    return { kind: 'group', attributes: groupAttributes(groupAttributesFromV3(document, context)) }
  }
  const place: ErrorContext = { url: context.url, path: context.path }
  throw malformed('node_type is neither "array" nor "group"', place)
}

function tellOfGroup(document: JsonObject, context: DocumentContext): void {
  if (document['node_type'] !== 'group') repairOf(context)('node_type is absent: taken as "group"')
  const consolidated = document['consolidated_metadata'] ?? null
  if (consolidated === null) return
  if (isConsolidated(document)) {
    const isKind = isJsonObject(consolidated) && consolidated['kind'] === 'inline'
    if (!isKind) repairOf(context)('kind of consolidated_metadata is absent: taken as "inline"')
    return
  }
  const message = 'consolidated_metadata is not of kind "inline" with an object of metadata: it is passed over'
  context.warn({ code: 'consolidated-unusable', message, path: context.path })
}

function groupAttributes(json: JsonObject): Attributes {
  return new Map(Object.entries(json))
}

function reported(skipped: SkippedArray, path: string, context: ParseContext): SkippedArray {
  context.warn({ code: 'array-skipped', message: skipped.reason, path })
  return skipped
}

/** Groups without a document: Zarr's own library finds nothing below them. */
function tellOfImplied(described: ReadonlyMap<string, Described>, { warn }: ParseContext): void {
  const implied = new Set<string>()
  for (const path of described.keys()) {
    for (let parent = path; parent !== ''; ) {
      parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/')))
      if (!described.has(parent)) implied.add(parent)
    }
  }
  if (implied.size === 0) return
  const message = `${implied.size} groups have no document of their own: they are taken for groups all the same`
  warn({ code: 'group-implied', message, values: [...implied].slice(0, MOST_NAMES) })
}

const MOST_NAMES = 20

/** Groups that no document describes are made on the way; a node below an array has no place. */
function insert(root: MutableGroup, path: string, member: MutableMember, context: ParseContext): void {
  const names = path.split('/')
  let group = root
  for (const name of names.slice(0, -1)) {
    const next = group.members.get(name) ?? emptyGroup(new Map())
    group.members.set(name, next)
    if (next.kind !== 'group') {
      context.warn({ code: 'node-below-array', message: 'a node inside an array is passed over', path })
      return
    }
    group = next
  }
  const name = names.at(-1) ?? ''
  const implied = group.members.get(name)
  if (implied?.kind === 'group' && member.kind === 'group') implied.attributes = member.attributes
  else group.members.set(name, member)
}
