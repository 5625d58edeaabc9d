import { LRUCache } from 'lru-cache'
import type { DeliveryPlan } from '../delivery/delivery.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import { gridShapeOf } from '../model/chunk-index.ts'
import type { Diagnostic, Member, VirtualArray, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'
import { turns } from '../turns.ts'
import { attributesDocument } from '../zarr/attributes.ts'
import { arrayDocument, groupDocument, type WrittenNode, withConsolidated } from '../zarr/metadata.ts'
import { type Document, digest, documentOf } from './document.ts'
import type { ArrayNode, GroupNode, StoreNode } from './open-store.ts'
import type { StoreOptions } from './store-options.ts'

/** Changes whenever we would send other bytes for the same source, so that no cache keeps what a fixed bug made. */
const OUTPUT_REVISION = 1

export interface DocumentsInput {
  readonly root: VirtualNode
  readonly version: string
  readonly options: StoreOptions
  readonly planned: ReadonlyMap<VirtualArray, DeliveryPlan>
  warn(diagnostic: Diagnostic): void
}

/** What was written so far. */
interface Written {
  readonly nodes: Map<string, StoreNode>
  readonly skipped: Map<string, string>
  /** The document of the group at a path. */
  consolidated(path: string): Document
}

/** Writes every document of a store once; that of a group is put together from them. */
export async function storeDocuments(input: DocumentsInput): Promise<Map<string, StoreNode>> {
  const { root, warn } = input
  const nodes = new Map<string, StoreNode>()
  const written: Written = { nodes, skipped: new Map(), consolidated: groupDocuments(nodes) }
  if (root.kind === 'array') {
    nodes.set('', arrayNode(input, root, ''))
    return nodes
  }
  const attributes = attributesDocument(root.attributes, { path: '', warn })
  // The root comes first: listings keep the order of the source.
  nodes.set('', groupNode(written, root, '', {}))
  await writeMembers(input, root, '', written, turns())
  const group = groupNode(written, root, '', rootDocument(attributes, written.skipped))
  nodes.set('', group)
  // The root's is asked for by everybody.
  const { own, folders } = group
  nodes.set('', { kind: 'group', document: consolidatedDocument(nodes, ''), own, folders })
  return nodes
}

/**
 * Documents of groups below the root, put together when they are asked for: a deep tree has each node in many. As many are
 * kept as take the room of the root's.
 */
function groupDocuments(nodes: ReadonlyMap<string, StoreNode>): (path: string) => Document {
  let kept: LRUCache<string, Document> | undefined
  return (path) => {
    kept ??= new LRUCache({ maxSize: rootLength(nodes), sizeCalculation: sizeOf })
    const known = kept.get(path)
    if (known !== undefined) return known
    const document = consolidatedDocument(nodes, path)
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

function consolidatedDocument(nodes: ReadonlyMap<string, StoreNode>, path: string): Document {
  const group = nodes.get(path)
  if (group?.kind !== 'group') throw new Error(`${path} is no group`)
  const prefix = path === '' ? '' : `${path}/`
  const below: WrittenNode[] = []
  const addMembers = ({ folders }: GroupNode, parent: string) => {
    for (const name of folders) {
      const memberPath = parent + name
      const member = nodes.get(memberPath)
      if (member === undefined || member.kind === 'skipped') continue
      const bytes = member.kind === 'group' ? member.own : member.document.identity.bytes
      below.push({ kind: member.kind, path: memberPath.slice(prefix.length), bytes })
      if (member.kind === 'group') addMembers(member, `${memberPath}/`)
    }
  }
  addMembers(group, prefix)
  return documentOf(withConsolidated(group.own, below))
}

async function writeMembers(
  input: DocumentsInput,
  group: VirtualGroup,
  parent: string,
  written: Written,
  turn: ReturnType<typeof turns>,
): Promise<void> {
  for (const [name, member] of group.members) {
    const path = parent === '' ? name : `${parent}/${name}`
    const wait = turn()
    if (wait !== undefined) await wait
    writeMember(input, member, path, written)
    if (member.kind === 'group') await writeMembers(input, member, path, written, turn)
  }
}

function writeMember(input: DocumentsInput, member: Member, path: string, written: Written): void {
  if (member.kind === 'skipped') {
    written.nodes.set(path, { kind: 'skipped', skipped: member })
    written.skipped.set(path, member.reason)
    return
  }
  if (member.kind === 'array') {
    written.nodes.set(path, arrayNode(input, member, path))
    return
  }
  const attributes = attributesDocument(member.attributes, { path, warn: input.warn })
  written.nodes.set(path, groupNode(written, member, path, groupDocument(attributes)))
}

function groupNode({ consolidated }: Written, group: VirtualGroup, path: string, json: JsonObject): GroupNode {
  return {
    kind: 'group',
    own: Buffer.from(writeJson(json)),
    folders: [...group.members].filter(([, member]) => member.kind !== 'skipped').map(([name]) => name),
    get document() {
      return consolidated(path)
    },
  }
}

function arrayNode(input: DocumentsInput, array: VirtualArray, path: string): ArrayNode {
  const { options, warn } = input
  const plan = planOf(input, array, path)
  const json = arrayDocument({ array, codecs: plan.codecs, output: options.missing, path, warn })
  const document = documentOf(Buffer.from(writeJson(json)))
  const grid = gridShapeOf(array.shape, array.chunkShape)
  return { kind: 'array', document, array, plan, grid, tag: chunkTag(input, array, path, document.identity.etag) }
}

function planOf({ planned }: DocumentsInput, array: VirtualArray, path: string): DeliveryPlan {
  const plan = planned.get(array)
  if (plan === undefined) throw new Error(`${path} has no delivery plan`)
  return plan
}

/**
 * What the stored bytes and the advertised codecs together decide: the same for all chunks of an array but for their place.
 * The path is part of it: two arrays of a source may have one and the same document. So may an array with and without its mask.
 */
function chunkTag({ version, options }: DocumentsInput, { masked }: VirtualArray, path: string, etag: string): string {
  const applied = masked === undefined ? [] : ['mask']
  return digest([OUTPUT_REVISION, version, options.group ?? '', path, etag, ...applied].join('\n'))
}

function rootDocument(attributes: JsonObject, skipped: ReadonlyMap<string, string>): JsonObject {
  if (skipped.size === 0) return groupDocument(attributes)
  const listed: Record<string, string> = Object.create(null)
  for (const [path, reason] of skipped) listed[path] = reason
  const all: Record<string, Json> = Object.assign(Object.create(null), attributes)
  all['virtual_zarr'] = { skipped: listed }
  return groupDocument(all)
}
