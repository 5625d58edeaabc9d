import type { DeliveryPlan } from '../delivery/delivery.ts'
import { planDelivery } from '../delivery/plan.ts'
import { invalidRequest, isVirtualZarrError, VirtualZarrError } from '../errors.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import { gridShapeOf } from '../model/chunk-index.ts'
import type {
  Diagnostic,
  Member,
  SkippedArray,
  VirtualArray,
  VirtualGroup,
  VirtualNode,
} from '../model/virtual-store.ts'
import { withDimensionNames } from '../views/dimensions.ts'
import { withClientNames } from '../views/names.ts'
import { withPortableTypes } from '../views/portable-types.ts'
import { onlyVariables, subGroup } from '../views/subset.ts'
import { attributesDocument } from '../zarr/attributes.ts'
import { arrayDocument, groupDocument } from '../zarr/metadata.ts'
import { type Document, digest, documentOf } from './document.ts'
import type { ParsedSource } from './open-source.ts'
import { withSentinelAsFill } from './sentinel-as-fill.ts'
import type { StoreOptions } from './store-options.ts'

/** Changes whenever we would send other bytes for the same source, so that no cache keeps what a fixed bug made. */
const OUTPUT_REVISION = 1

/** A store ready to be served: every document is bytes, every array has its plan. */
export interface OpenStore {
  readonly nodes: ReadonlyMap<string, StoreNode>
  readonly diagnostics: readonly Diagnostic[]
  /** Bytes of memory, for the cache's weighing. */
  readonly weight: number
}

export type StoreNode =
  | { readonly kind: 'group'; readonly document: Document; readonly folders: readonly string[] }
  | ArrayNode
  | { readonly kind: 'skipped'; readonly skipped: SkippedArray }

export interface ArrayNode {
  readonly kind: 'array'
  readonly document: Document
  readonly array: VirtualArray
  readonly plan: DeliveryPlan
  /** Begins the ETag of each of its chunks. */
  readonly tag: string
}

type Warn = (diagnostic: Diagnostic) => void

/** Makes a store of what was parsed: views, plans, documents. */
export async function openStore(parsed: ParsedSource, options: StoreOptions): Promise<OpenStore> {
  const diagnostics = [...parsed.diagnostics]
  const warn: Warn = (diagnostic) => diagnostics.push(diagnostic)
  const planned = new Map<VirtualArray, DeliveryPlan>()
  const root = await plannedTree(viewOf(parsed, options, warn), '', options, { planned, warn })
  refuseIfNothingIsLeft(root)
  const nodes = documentsOf(root, parsed.version, options, planned, warn)
  let weight = diagnostics.length * 200
  for (const node of nodes.values())
    weight += node.kind === 'skipped' ? 200 : node.document.identity.bytes.length * 2 + 2000
  return { nodes, diagnostics, weight }
}

function viewOf(parsed: ParsedSource, options: StoreOptions, warn: Warn): VirtualNode {
  let root: VirtualNode | undefined = parsed.root
  if (options.group !== undefined) {
    root = subGroup(root, options.group)
    if (root === undefined) throw invalidRequest(`the source has no group ${options.group}`, { option: 'group' })
  }
  if (options.variables !== undefined) root = onlyVariables(root, options.variables)
  root = withClientNames(root, warn)
  if (options.codecs !== 'native') root = asRoot(withPortableTypes(root, warn))
  return withDimensionNames(root, { sharedLengths: options.parse.layout !== 'ifd' }, warn)
}

function asRoot(member: Member): VirtualNode {
  if (member.kind === 'skipped') throw new VirtualZarrError(member.code, member.reason)
  return member
}

interface Planning {
  readonly planned: Map<VirtualArray, DeliveryPlan>
  readonly warn: Warn
}

/** Plans every array; one that can't be delivered becomes a listed skip, and its neighbours stay. */
async function plannedTree(node: Member, path: string, options: StoreOptions, planning: Planning): Promise<Member> {
  if (node.kind === 'skipped') return node
  if (node.kind === 'array') return await plannedArray(node, path, options, planning)
  const members = new Map<string, Member>()
  for (const [name, member] of node.members) {
    members.set(name, await plannedTree(member, path === '' ? name : `${path}/${name}`, options, planning))
  }
  return { ...node, members }
}

async function plannedArray(
  node: VirtualArray,
  path: string,
  options: StoreOptions,
  { planned, warn }: Planning,
): Promise<Member> {
  try {
    const array = options.missing === 'fill' ? await withSentinelAsFill(node, path, warn) : node
    planned.set(array, planDelivery(array, options.codecs))
    return array
  } catch (error) {
    if (!isVirtualZarrError(error) || !isSkipCode(error.code)) throw error
    warn({ code: 'array-skipped', message: error.message, path })
    return { kind: 'skipped', code: error.code, reason: error.message }
  }
}

function isSkipCode(code: string): code is SkippedArray['code'] {
  return code === 'unsupported-feature' || code === 'malformed-source' || code === 'limit-exceeded'
}

/** A store of which nothing is left is refused as a whole (SPEC section 3). */
function refuseIfNothingIsLeft(root: Member): asserts root is VirtualNode {
  const skipped: [string, SkippedArray][] = []
  let served = 0
  const visit = (node: Member, path: string) => {
    if (node.kind === 'array') served++
    else if (node.kind === 'skipped') skipped.push([path, node])
    else for (const [name, member] of node.members) visit(member, path === '' ? name : `${path}/${name}`)
  }
  visit(root, '')
  const [first] = skipped
  if (served > 0 || first === undefined) return
  const reasons = skipped.slice(0, 5).map(([path, { reason }]) => `${path === '' ? 'the root array' : path}: ${reason}`)
  const code = skipped.some(([, { code }]) => code === 'unsupported-feature') ? 'unsupported-feature' : first[1].code
  throw new VirtualZarrError(code, `no array of the source can be served: ${reasons.join('; ')}`)
}

function documentsOf(
  root: VirtualNode,
  version: string,
  options: StoreOptions,
  planned: ReadonlyMap<VirtualArray, DeliveryPlan>,
  warn: Warn,
): Map<string, StoreNode> {
  const nodes = new Map<string, StoreNode>()
  const documents = new Map<string, JsonObject>()
  const skipped = new Map<string, string>()
  const visit = (node: Member, path: string) => {
    if (node.kind === 'skipped') {
      nodes.set(path, { kind: 'skipped', skipped: node })
      skipped.set(path, node.reason)
      return
    }
    if (node.kind === 'group') {
      documents.set(path, groupDocument(attributesDocument(node.attributes, { path, warn })))
      nodes.set(path, { kind: 'group', document: documentOf(''), folders: foldersOf(node) })
      for (const [name, member] of node.members) visit(member, path === '' ? name : `${path}/${name}`)
      return
    }
    const plan = planned.get(node)
    if (plan === undefined) throw new Error(`${path} has no delivery plan`)
    const document = arrayDocument({ array: node, codecs: plan.codecs, output: options.missing, path, warn })
    documents.set(path, document)
    const written = documentOf(writeJson(document))
    nodes.set(path, {
      kind: 'array',
      document: written,
      array: node,
      plan,
      tag: chunkTag(version, options, path, written),
    })
  }
  visit(root, '')
  for (const [path, node] of nodes) {
    if (node.kind !== 'group') continue
    const document = documents.get(path)
    if (document === undefined) throw new Error(`${path} has no document`)
    const whole = path === '' ? rootDocument(document, documents, skipped) : document
    nodes.set(path, { ...node, document: documentOf(writeJson(whole)) })
  }
  return nodes
}

/**
 * What the stored bytes and the advertised codecs together decide: the same for all chunks of an array but for their place.
 * The path is part of it: two arrays of a source may have one and the same document.
 */
function chunkTag(version: string, options: StoreOptions, path: string, document: Document): string {
  return digest([OUTPUT_REVISION, version, options.group ?? '', path, document.identity.etag].join('\n'))
}

function foldersOf(group: VirtualGroup): readonly string[] {
  return [...group.members].filter(([, member]) => member.kind !== 'skipped').map(([name]) => name)
}

function rootDocument(
  own: JsonObject,
  documents: ReadonlyMap<string, JsonObject>,
  skipped: ReadonlyMap<string, string>,
): JsonObject {
  const below = new Map([...documents].filter(([path]) => path !== ''))
  const attributes: Record<string, Json> = { ...(own['attributes'] as JsonObject) }
  if (skipped.size > 0) attributes['virtual_zarr'] = { skipped: Object.fromEntries(skipped) }
  return groupDocument(attributes, below)
}

/** Whether coordinates name a chunk of the array's grid. */
export function isInGrid(array: VirtualArray, coords: readonly number[]): boolean {
  const grid = gridShapeOf(array.shape, array.chunkShape)
  return coords.length === grid.length && coords.every((index, axis) => index < (grid[axis] ?? 0))
}
