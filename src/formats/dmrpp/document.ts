// What a DMR++ document says: DAP4's data model (DAP4 Specification, volume 1) and the places of the values (namespace
// http://xml.opendap.org/dap/dmrpp/1.0.0#), before any judgement about it.
import type { ChunkCollector } from './chunk-table.ts'
import type { ElementAttributes } from './element-attributes.ts'

/** A sidecar as written. */
export interface DmrDocument {
  readonly root: DmrGroup
  /** The data file, as `dmrpp:href` of the root names it. */
  readonly href: string | undefined
  /** What wrote it; older writers left it out, and knew no order of filters. */
  readonly version: string | undefined
  /** Files that chunks name themselves; chunks count them from 1, 0 is the document's. */
  readonly chunkHrefs: readonly string[]
  /** Whether text before the document was passed over. */
  readonly hasLeadingText: boolean
  /** Whether some text is not UTF-8. */
  readonly hasGuessedText: boolean
}

export interface DmrGroup {
  readonly name: string
  /** Fully qualified, without a leading slash; empty for the root. */
  readonly path: string
  readonly parent: DmrGroup | undefined
  readonly dimensions: Map<string, number>
  readonly enumerations: Map<string, DmrEnumeration>
  readonly attributes: DmrAttribute[]
  readonly variables: DmrVariable[]
  readonly groups: DmrGroup[]
}

export interface DmrEnumeration {
  readonly baseType: string
  readonly names: string[]
  readonly values: bigint[]
}

export interface DmrAttribute {
  readonly name: string
  readonly type: string
  readonly values: string[]
  /** Of a container. */
  readonly members: DmrAttribute[]
}

/** One dimension of a variable: shared ones have a name (qualified, or relative to the group). */
interface DmrDimension {
  readonly name: string | undefined
  readonly length: number
}

export interface DmrVariable {
  readonly name: string
  readonly group: DmrGroup
  /** The element's name: `Int32`, `String`, `Structure`, ... */
  readonly type: string
  /** Of an `Enum`: the name of its enumeration. */
  readonly enumeration: string | undefined
  readonly dimensions: DmrDimension[]
  readonly maps: string[]
  readonly attributes: DmrAttribute[]
  /** Members of a structure. */
  readonly fields: DmrVariable[]
  readonly storage: DmrStorage
}

/** Where the values are. The builder fills it in as elements come along. */
export interface DmrStorage {
  /** Attributes of `dmrpp:chunks`; undefined when there is no such element. */
  chunks: ElementAttributes | undefined
  chunkShape: readonly number[] | undefined
  /** The first `byteOrder` of a chunk, for documents that give it there. */
  chunkByteOrder: string | undefined
  collected: ChunkCollector | undefined
  inline: DmrInline | undefined
  /** `dmrpp:FixedLengthStringArray`. */
  fixedText: { readonly length: number; readonly padding: string } | undefined
  /** The first thing that makes no sense: this variable can't be served, the others can. */
  problem: string | undefined
}

/** Values within the document. */
export type DmrInline =
  /** `compact` is base64 of the stored bytes, `missingdata` of zlib of them, `specialstructuredata` of records with text. */
  | { readonly kind: 'compact' | 'missingdata' | 'specialstructuredata'; readonly text: string }
  /** `vlsa`: text of any length. */
  | { readonly kind: 'texts'; readonly values: readonly string[] }

export function emptyStorage(): DmrStorage {
  return {
    chunks: undefined,
    chunkShape: undefined,
    chunkByteOrder: undefined,
    collected: undefined,
    inline: undefined,
    fixedText: undefined,
    problem: undefined,
  }
}

/** Fully qualified name of something in a group, without a leading slash. */
export function qualifiedName(group: DmrGroup, name: string): string {
  return group.path === '' ? name : `${group.path}/${name}`
}

/** Last segments of qualified names; null for dimensions without one (DM-3). */
export function dimensionNamesOf({ dimensions }: DmrVariable): readonly (string | null)[] {
  return dimensions.map(({ name }) => name?.split('/').at(-1) || null)
}
