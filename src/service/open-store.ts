import type { DeliveryPlan } from '../delivery/delivery.ts'
import { planDelivery } from '../delivery/plan.ts'
import { VirtualZarrError } from '../errors.ts'
import { inParallel } from '../in-parallel.ts'
import { withPackingApplied } from '../joins/decoded.ts'
import { isComplete } from '../model/composed-array.ts'
import type { Scalar } from '../model/data-type.ts'
import { skippedArray } from '../model/skipped-array.ts'
import { truncationsOf } from '../model/truncated-source.ts'
import type { Attributes, Diagnostic, Member, SkippedArray, VirtualArray, VirtualNode } from '../model/virtual-store.ts'
import { turn } from '../turns.ts'
import { withDimensionNames } from '../views/dimensions.ts'
import { withInline } from '../views/inline.ts'
import { withMasksApplied } from '../views/masked.ts'
import { withClientNames } from '../views/names.ts'
import { withPackingAsCodecs } from '../views/packing-codecs.ts'
import { withPortableTypes } from '../views/portable-types.ts'
import { withPyramid } from '../views/pyramid/with-pyramid.ts'
import { withChunks } from '../views/rechunk.ts'
import { selected } from '../views/select.ts'
import { onlyVariables, subGroup } from '../views/subset.ts'
import type { MissingOutput } from '../zarr/sentinel-attributes.ts'
import type { Document } from './document.ts'
import type { ParsedSource } from './open-source.ts'
import { storeDocuments } from './store-documents.ts'
import type { StoreOptions } from './store-options.ts'
import { checkTreeSize } from './tree-size.ts'

/** A store ready to be served: every document is bytes, every array has its plan. */
export interface OpenStore {
  /** The tree that is served: after all views. */
  readonly root: VirtualNode
  readonly nodes: ReadonlyMap<string, StoreNode>
  readonly diagnostics: readonly Diagnostic[]
  /** Bytes of memory, for the cache's weighing. */
  readonly weight: number
}

export type StoreNode = GroupNode | ArrayNode | { readonly kind: 'skipped'; readonly skipped: SkippedArray }

export interface GroupNode {
  readonly kind: 'group'
  /** With the documents of all nodes below it; put together when asked for, since a deep tree has each node in many. */
  readonly document: Document
  /** Its own document, of nothing but itself. */
  readonly own: Uint8Array
  readonly attributes: Attributes
  /** Of the root: why arrays are skipped, by path. */
  readonly skipped: ReadonlyMap<string, string>
  /** Of the root: what of the source is missing at its end. */
  readonly truncated: readonly string[]
  /** Names of its members but for skipped ones. */
  readonly folders: readonly string[]
}

export interface ArrayNode {
  readonly kind: 'array'
  readonly document: Document
  readonly array: VirtualArray
  readonly plan: DeliveryPlan
  readonly missing: MissingOutput
  /** Chunks along each axis. */
  readonly grid: readonly number[]
  /** Begins the ETag of each of its chunks. */
  readonly tag: string
}

/** What of a parsed source its stores are made of. */
type StoreInput = Pick<ParsedSource, 'root' | 'version' | 'format' | 'diagnostics'>

type Warn = (diagnostic: Diagnostic) => void

/** Makes a store of what was parsed: views, plans, documents. */
export async function openStore(parsed: StoreInput, options: StoreOptions): Promise<OpenStore> {
  const diagnostics = [...parsed.diagnostics]
  const warn: Warn = (diagnostic) => diagnostics.push(diagnostic)
  const planned = new Map<VirtualArray, DeliveryPlan>()
  // Long texts are looked at as a whole: of many stores one after the other.
  await turn()
  checkTreeSize(options.group === undefined ? parsed.root : subGroup(parsed.root, options.group))
  const view = await viewOf(parsed, options, warn)
  const complete = options.missing === 'fill' ? await completeArrays(view) : new Map<VirtualArray, Completeness>()
  const root = await plannedTree(view, '', options, { planned, complete, warn })
  refuseIfNothingIsLeft(root, parsed.format, warn)
  const nodes = await storeDocuments({
    root,
    version: parsed.version,
    truncated: truncationsOf(parsed.diagnostics),
    options,
    planned,
    warn,
  })
  return { root, nodes, diagnostics, weight: diagnostics.length * 200 + weightOf(nodes) }
}

/** Each document is held once plain and once compressed; of groups below the root no more is kept than the root has. */
function weightOf(nodes: ReadonlyMap<string, StoreNode>): number {
  let weight = 0
  for (const [path, node] of nodes) {
    if (node.kind === 'skipped') weight += 200
    else if (node.kind === 'array') weight += node.document.identity.bytes.length * 2 + 2000
    else weight += node.own.length + 2000 + (path === '' ? node.document.identity.bytes.length * 4 : 0)
  }
  return weight
}

/** Each step goes over the whole tree at once: others have their turn between them. */
async function viewOf(parsed: StoreInput, options: StoreOptions, warn: Warn): Promise<VirtualNode> {
  const whole = options.group === undefined ? parsed.root : subGroup(parsed.root, options.group)
  let root = options.variables === undefined ? whole : onlyVariables(whole, options.variables)
  await turn()
  root = withClientNames(root, warn, whole)
  await turn()
  const hasMasks = options.missing === 'mask'
  if (options.packing === 'decoded') root = withPackingApplied(root, { hasMasks, warn })
  if (hasMasks) root = asRoot(withMasksApplied(root, warn))
  if (options.codecs !== 'native') root = asRoot(withPortableTypes(root, warn))
  await turn()
  root = withDimensionNames(root, warn)
  await turn()
  return withViews(root, options, warn)
}

/** What is made of a tree that is complete: a part of it, in other chunks, with overviews. */
function withViews(root: VirtualNode, options: StoreOptions, warn: Warn): VirtualNode {
  const { select, chunks, pyramid, inline, packing } = options
  let view = select === undefined ? root : selected(root, select, warn)
  if (chunks !== undefined) view = withChunks(view, chunks)
  if (pyramid !== 'off') view = withPyramid(view, pyramid, warn)
  if (inline !== undefined) view = withInline(view, inline, warn)
  if (view !== root) checkTreeSize(view)
  return packing === 'codecs' ? withPackingAsCodecs(view, warn) : view
}

function asRoot(member: Member): VirtualNode {
  if (member.kind === 'skipped') throw new VirtualZarrError(member.code, member.reason)
  return member
}

interface Planning {
  readonly planned: Map<VirtualArray, DeliveryPlan>
  /** With `missing=fill`: of each array with a sentinel whether every chunk of it is stored. */
  readonly complete: ReadonlyMap<VirtualArray, Completeness>
  readonly warn: Warn
}

/** Whether every chunk of an array is stored, or why its index could not be read. */
type Completeness = { readonly isComplete: boolean } | { readonly error: unknown }

/** Chunk indexes that are read at the same time: those of small datasets are a read each, and all of them may be in one request. */
const MAX_INDEXES_AT_ONCE = 1024

/** Reads the chunk indexes of all arrays with a sentinel together: one after the other each would cost a round trip. */
async function completeArrays(root: VirtualNode): Promise<ReadonlyMap<VirtualArray, Completeness>> {
  const arrays: VirtualArray[] = []
  const visit = (node: Member): void => {
    if (node.kind === 'array' && sentinelOf(node) !== undefined) arrays.push(node)
    if (node.kind === 'group') for (const member of node.members.values()) visit(member)
  }
  visit(root)
  const complete = new Map<VirtualArray, Completeness>()
  await inParallel(arrays, MAX_INDEXES_AT_ONCE, async (array) => {
    const wait = turn()
    if (wait !== undefined) await wait
    try {
      complete.set(array, { isComplete: (await isComplete(array)) === true })
    } catch (error) {
      // Thrown again when the array is planned, which decides whether it costs the array or the store.
      complete.set(array, { error })
    }
  })
  return complete
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
  { planned, complete, warn }: Planning,
): Promise<Member> {
  const wait = turn()
  if (wait !== undefined) await wait
  try {
    const array = options.missing === 'fill' ? withSentinelAsFill(node, complete.get(node), path, warn) : node
    planned.set(array, planDelivery(array, options.codecs))
    const texts = [...(array.textFields?.keys() ?? [])]
    if (texts.length > 0) {
      const message = `text of any length is in no structured type; codecs=portable serves it: ${texts.join(', ')}`
      warn({ code: 'field-skipped', message, path, values: texts })
    }
    return array
  } catch (error) {
    const skipped = skippedArray(error)
    warn({ code: 'array-skipped', message: skipped.reason, path })
    return skipped
  }
}

/** A store of which nothing is left is refused as a whole (TREE-10); one of a source without any array says so. */
function refuseIfNothingIsLeft(root: Member, format: string, warn: Warn): asserts root is VirtualNode {
  const skipped: [string, SkippedArray][] = []
  let served = 0
  const visit = (node: Member, path: string) => {
    if (node.kind === 'array') served++
    else if (node.kind === 'skipped') skipped.push([path, node])
    else for (const [name, member] of node.members) visit(member, path === '' ? name : `${path}/${name}`)
  }
  visit(root, '')
  const [first] = skipped
  if (served > 0) return
  if (first === undefined) {
    warn({
      code: 'store-empty',
      message: `the source (${format}) has no arrays: the store has groups and attributes alone`,
    })
    return
  }
  const reasons = skipped.slice(0, 5).map(([path, { reason }]) => `${path === '' ? 'the root array' : path}: ${reason}`)
  const code = skipped.some(([, { code }]) => code === 'unsupported-feature') ? 'unsupported-feature' : first[1].code
  throw new VirtualZarrError(code, `no array of the source can be served: ${reasons.join('; ')}`)
}

/** `missing=fill` (FV-19): the sentinel as `fill_value`, where every chunk is stored, so that no value read can change. */
function withSentinelAsFill(
  array: VirtualArray,
  completeness: Completeness | undefined,
  path: string,
  warn: (diagnostic: Diagnostic) => void,
): VirtualArray {
  const sentinel = sentinelOf(array)
  if (sentinel === undefined || completeness === undefined) return array
  if ('error' in completeness) throw completeness.error
  if (completeness.isComplete) return { ...array, fillValue: sentinel, fillOrigin: 'the sentinel (missing=fill)' }
  warn({
    code: 'fill-not-granted',
    message:
      'missing=fill is not granted: it is not known that every chunk is stored, so the array keeps its own fill value',
    path,
  })
  return array
}

function sentinelOf({ sentinels }: VirtualArray): Scalar | undefined {
  return sentinels.fillValue ?? sentinels.missingValue
}
