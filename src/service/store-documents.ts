import type { DeliveryPlan } from '../delivery/delivery.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import type { Diagnostic, Member, VirtualArray, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'
import { turns } from '../turns.ts'
import { attributesDocument } from '../zarr/attributes.ts'
import { arrayDocument, groupDocument, type WrittenNode, withConsolidated } from '../zarr/metadata.ts'
import { digest, documentOf } from './document.ts'
import type { StoreNode } from './open-store.ts'
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
  readonly below: Map<string, WrittenNode>
  readonly skipped: Map<string, string>
}

/** Writes every document of a store once; the root's is put together from them. */
export async function storeDocuments(input: DocumentsInput): Promise<Map<string, StoreNode>> {
  const { root, warn } = input
  const written: Written = { nodes: new Map(), below: new Map(), skipped: new Map() }
  if (root.kind === 'array') {
    written.nodes.set('', arrayNode(input, root, ''))
    return written.nodes
  }
  const attributes = attributesDocument(root.attributes, { path: '', warn })
  // The root comes first: listings keep the order of the source.
  written.nodes.set('', { kind: 'group', document: documentOf(''), folders: [] })
  await writeMembers(input, root, '', written, turns())
  const text = withConsolidated(writeJson(rootDocument(attributes, written.skipped)), written.below)
  written.nodes.set('', { kind: 'group', document: documentOf(text), folders: foldersOf(root) })
  return written.nodes
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

function writeMember(input: DocumentsInput, member: Member, path: string, { nodes, below, skipped }: Written): void {
  if (member.kind === 'skipped') {
    nodes.set(path, { kind: 'skipped', skipped: member })
    skipped.set(path, member.reason)
    return
  }
  if (member.kind === 'array') {
    const text = arrayText(input, member, path)
    nodes.set(path, arrayNode(input, member, path, text))
    below.set(path, { kind: 'array', text })
    return
  }
  const text = writeJson(groupDocument(attributesDocument(member.attributes, { path, warn: input.warn })))
  nodes.set(path, { kind: 'group', document: documentOf(text), folders: foldersOf(member) })
  below.set(path, { kind: 'group', text })
}

function arrayText(input: DocumentsInput, array: VirtualArray, path: string): string {
  const { options, warn } = input
  const { codecs } = planOf(input, array, path)
  return writeJson(arrayDocument({ array, codecs, output: options.missing, path, warn }))
}

function arrayNode(input: DocumentsInput, array: VirtualArray, path: string, text?: string): StoreNode {
  const document = documentOf(text ?? arrayText(input, array, path))
  const tag = chunkTag(input, path, document.identity.etag)
  return { kind: 'array', document, array, plan: planOf(input, array, path), tag }
}

function planOf({ planned }: DocumentsInput, array: VirtualArray, path: string): DeliveryPlan {
  const plan = planned.get(array)
  if (plan === undefined) throw new Error(`${path} has no delivery plan`)
  return plan
}

/**
 * What the stored bytes and the advertised codecs together decide: the same for all chunks of an array but for their place.
 * The path is part of it: two arrays of a source may have one and the same document.
 */
function chunkTag({ version, options }: DocumentsInput, path: string, etag: string): string {
  return digest([OUTPUT_REVISION, version, options.group ?? '', path, etag].join('\n'))
}

function foldersOf(group: VirtualGroup): readonly string[] {
  return [...group.members].filter(([, member]) => member.kind !== 'skipped').map(([name]) => name)
}

function rootDocument(attributes: JsonObject, skipped: ReadonlyMap<string, string>): JsonObject {
  if (skipped.size === 0) return groupDocument(attributes)
  const listed: Record<string, string> = Object.create(null)
  for (const [path, reason] of skipped) listed[path] = reason
  const all: Record<string, Json> = Object.assign(Object.create(null), attributes)
  all['virtual_zarr'] = { skipped: listed }
  return groupDocument(all)
}
