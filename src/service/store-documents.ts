import { LRUCache } from 'lru-cache'
import { ownBytes } from '../bytes/own.ts'
import type { DeliveryPlan } from '../delivery/delivery.ts'
import { writeJson } from '../json/write.ts'
import { gridShapeOf } from '../model/chunk-index.ts'
import type { Diagnostic, Member, VirtualArray, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'
import { turn } from '../turns.ts'
import { Consolidation } from '../zarr/metadata.ts'
import { describeGroup, describeServed } from './describe.ts'
import { type Document, digest, documentOf } from './document.ts'
import type { ArrayNode, GroupNode, StoreNode } from './open-store.ts'
import type { StoreOptions } from './store-options.ts'
import { selectText } from './view-options.ts'

/** Changes whenever we would send other bytes for the same source, so that no cache keeps what a fixed bug made. */
const OUTPUT_REVISION = 2

export interface DocumentsInput {
  readonly root: VirtualNode
  readonly version: string
  /** What of the source is missing at its end. */
  readonly truncated: readonly string[]
  readonly options: StoreOptions
  readonly planned: ReadonlyMap<VirtualArray, DeliveryPlan>
  warn(diagnostic: Diagnostic): void
}

/** What was written so far. */
interface Written {
  readonly nodes: Map<string, StoreNode>
  readonly skipped: Map<string, string>
  /** What the root's document has of the nodes below it: put together on the way, since that takes its time. */
  readonly below: Consolidation
  /** The document of the group at a path. */
  consolidated(path: string): Document
}

const NONE_TRUNCATED: readonly string[] = []
const NONE_SKIPPED: ReadonlyMap<string, string> = new Map()

/** Writes every document of a store once; that of a group is put together from them. */
export async function storeDocuments(input: DocumentsInput): Promise<Map<string, StoreNode>> {
  const { root, version } = input
  const nodes = new Map<string, StoreNode>()
  const below = new Consolidation()
  const written: Written = { nodes, skipped: new Map(), below, consolidated: groupDocuments(nodes, version) }
  if (root.kind === 'array') {
    nodes.set('', arrayNode(input, root, ''))
    return nodes
  }
  // The root comes first: listings keep the order of the source, and warnings are told in it.
  const alone = groupNode(input, written, root, '')
  nodes.set('', alone)
  await writeMembers(input, root, '', written)
  const isWhole = written.skipped.size === 0
  const group = isWhole ? alone : groupNode({ ...input, warn: () => undefined }, written, root, '', written.skipped)
  await turn()
  // The root's is asked for by everybody.
  nodes.set('', withDocument(group, documentOf(below.in(group.own), version)))
  return nodes
}

function withDocument(node: GroupNode, document: Document): GroupNode {
  const { kind, own, attributes, skipped, truncated, folders } = node
  return { kind, document, own, attributes, skipped, truncated, folders }
}

/**
 * Documents of groups below the root, put together when they are asked for: a deep tree has each node in many. As many are
 * kept as take the room of the root's.
 */
function groupDocuments(nodes: ReadonlyMap<string, StoreNode>, version: string): (path: string) => Document {
  let kept: LRUCache<string, Document> | undefined
  return (path) => {
    kept ??= new LRUCache({ maxSize: rootLength(nodes), sizeCalculation: sizeOf })
    const known = kept.get(path)
    if (known !== undefined) return known
    const document = consolidatedDocument(nodes, path, version)
    kept.set(path, document)
    return document
  }
}

function rootLength(nodes: ReadonlyMap<string, StoreNode>): number {
  const root = nodes.get('')
  return root?.kind === 'group' ? root.document.identity.bytes.length : 1
}

function sizeOf({ identity }: Document): number {
  return identity.bytes.length
}

function consolidatedDocument(nodes: ReadonlyMap<string, StoreNode>, path: string, version: string): Document {
  const group = nodes.get(path)
  if (group?.kind !== 'group') throw new Error(`${path} is no group`)
  const prefix = path === '' ? '' : `${path}/`
  const below = new Consolidation()
  const addMembers = ({ folders }: GroupNode, parent: string) => {
    for (const name of folders) {
      const memberPath = parent + name
      const member = nodes.get(memberPath)
      if (member === undefined || member.kind === 'skipped') continue
      below.add({ kind: member.kind, path: memberPath.slice(prefix.length), bytes: ownDocument(member) })
      if (member.kind === 'group') addMembers(member, `${memberPath}/`)
    }
  }
  addMembers(group, prefix)
  return documentOf(below.in(group.own), version)
}

function ownDocument(node: GroupNode | ArrayNode): Uint8Array {
  return node.kind === 'group' ? node.own : node.document.identity.bytes
}

async function writeMembers(
  input: DocumentsInput,
  group: VirtualGroup,
  parent: string,
  written: Written,
): Promise<void> {
  for (const [name, member] of group.members) {
    const path = parent === '' ? name : `${parent}/${name}`
    const wait = turn()
    if (wait !== undefined) await wait
    writeMember(input, member, path, written)
    if (member.kind === 'group') await writeMembers(input, member, path, written)
  }
}

function writeMember(input: DocumentsInput, member: Member, path: string, written: Written): void {
  if (member.kind === 'skipped') {
    written.nodes.set(path, { kind: 'skipped', skipped: member })
    written.skipped.set(path, member.reason)
    return
  }
  const node = member.kind === 'array' ? arrayNode(input, member, path) : groupNode(input, written, member, path)
  written.nodes.set(path, node)
  written.below.add({ kind: node.kind, path, bytes: ownDocument(node) })
}

function groupNode(
  input: DocumentsInput,
  { consolidated }: Written,
  group: VirtualGroup,
  path: string,
  skipped = NONE_SKIPPED,
): GroupNode {
  const { warn } = input
  const { attributes } = group
  const truncated = path === '' ? input.truncated : NONE_TRUNCATED
  return {
    kind: 'group',
    own: ownBytes(Buffer.from(writeJson(describeGroup({ attributes, skipped, truncated }, { path, warn })))),
    attributes,
    skipped,
    truncated,
    folders: [...group.members].filter(([, member]) => member.kind !== 'skipped').map(([name]) => name),
    get document() {
      return consolidated(path)
    },
  }
}

function arrayNode(input: DocumentsInput, array: VirtualArray, path: string): ArrayNode {
  const { options, version, warn } = input
  const plan = planOf(input, array, path)
  const { missing } = options
  const document = documentOf(Buffer.from(writeJson(describeServed({ array, plan, missing }, { path, warn }))), version)
  const grid = gridShapeOf(array.shape, array.chunkShape)
  return {
    kind: 'array',
    document,
    array,
    plan,
    missing,
    grid,
    tag: chunkTag(input, array, path, document.identity.etag),
  }
}

function planOf({ planned }: DocumentsInput, array: VirtualArray, path: string): DeliveryPlan {
  const plan = planned.get(array)
  if (plan === undefined) throw new Error(`${path} has no delivery plan`)
  return plan
}

/**
 * What the stored bytes and the advertised codecs together decide: the same for all chunks of an array but for their place.
 * The path is part of it: two arrays of a source may have one and the same document. So may an array with and without its mask, two
 * parts of it, and overviews that are made in two ways.
 */
function chunkTag(
  { version, options }: DocumentsInput,
  { operation }: VirtualArray,
  path: string,
  etag: string,
): string {
  const applied = operation?.kind === 'mask' ? ['mask'] : []
  const { select, pyramid, group = '' } = options
  const view = select === undefined && pyramid === 'off' ? [] : [selectText(select), pyramid]
  return digest([OUTPUT_REVISION, version, group, path, etag, ...applied, ...view].join('\n'))
}
