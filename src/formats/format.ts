import type { Maker } from '../model/recipe.ts'
import type { Diagnostic, VirtualNode } from '../model/virtual-store.ts'
import type { ObjectCheck, ReadOptions, Source, SourceCondition } from '../source/source.ts'

/** What a request may choose about the reading of a source; each name is an option of the store's URL (OPT-1). */
export interface ParseOptions {
  readonly layout: 'dataset' | 'ifd' | 'levels'
  /** `auto`: the format's own policy (FV-15). */
  readonly sentinel: 'auto' | 'warn' | 'error'
  /** What a Zarr v2 `fill_value: null` becomes (V2-2); text is parsed in each array's type. */
  readonly nullFill: 'zero' | 'extreme' | 'refuse' | { readonly text: string }
  readonly migrateFill: 'auto' | 'always' | 'never'
  /** The data file of a sidecar, when it is not where the sidecar says. */
  readonly data: string | undefined
  /** Of a source that keeps its versions: the branch, the tag or the snapshot to read. */
  readonly ref: string | undefined
  /** Of a file of too many objects: the group to which the tree is to be read, and what is in it. */
  readonly group?: string | undefined
  /** The version that a store is pinned to, where it is spelled as the name of a snapshot. */
  readonly snapshot: string | undefined
}

/** What a request chooses that names no option. */
export const DEFAULT_PARSE_OPTIONS: ParseOptions = {
  layout: 'dataset',
  sentinel: 'auto',
  nullFill: 'zero',
  migrateFill: 'auto',
  data: undefined,
  ref: undefined,
  snapshot: undefined,
}

/** A version by the name that its source itself has for it. */
export interface NamedVersion {
  readonly name: string
  /** It was asked for by that name, and can't become another. */
  readonly isFixed: boolean
  /** Asks the source whether it still is the one that was asked for. */
  isCurrent(): Promise<boolean>
}

/** How another document is opened: now, or `later`, when a chunk asks for it. */
export interface OpenOptions extends ReadOptions {
  /** What it must look like: its host is asked again where it does not. */
  readonly check?: ObjectCheck | undefined
  readonly later?: boolean | undefined
  /** What its first request asks for, where most of it will be read and it is longer than most documents. */
  readonly headBytes?: number | undefined
  /** How long it is, where that is known: with `later` it is opened by the read that brings all of it. */
  readonly length?: number | undefined
  /**
   * It may be that there is none. An origin that says so is asked again like those of documents, and until then nothing that
   * rests on its answer is immutable; the error is thrown all the same.
   */
  readonly mayBeAbsent?: boolean | undefined
  /** A guess: by its first bytes it is what was looked for, or it throws `unknown-format` and is no document of the source. */
  accepts?(head: Uint8Array): boolean
}

/** What a parser may ask of the world around it. */
export interface ParseContext extends ReadOptions {
  readonly options: ParseOptions
  /**
   * Another document, under the same guards and budget. Relative URLs count from the parsed source. It is read now, and asked
   * with the others whether it changed; or, after the parse, `later`: when a chunk asks for it.
   */
  open(url: string, options?: OpenOptions): Promise<Source>
  /** Names directly below a folder, those of folders with a final `/`; undefined when the origin has no listing. */
  list(folder: string): Promise<readonly string[] | undefined>
  /**
   * A source (or, with a final `/`, a folder) that chunks name; opened when a chunk is read. 0 is the parsed source. With
   * `alternatives`, the first that exists, looked for once.
   */
  reference(url: string, ...alternatives: readonly string[]): number
  /** A source that chunks name in one version: another one is a failure of these chunks. */
  referenceIf(url: string, condition: SourceCondition): number
  /** Names the version of what is read; without it that is made of the documents'. */
  isVersion(version: NamedVersion): void
  /** Runs work after the parse that holds about so many bytes, once there is room for them. */
  room<T>(bytes: number, work: () => Promise<T>): Promise<T>
  /** Dropped, renamed or guessed something; not a failure. */
  warn(diagnostic: Diagnostic): void
}

/** How names begin of formats that are not built in: one that is built in later never takes them. */
export const OWN_FORMAT = 'x-'

/** By what files of a format are known. It stands apart from their reading, which a page loads when it has found one. */
export interface FormatMark {
  readonly name: string
  /** Chunks never lie in the parsed file itself: its bytes need not be kept. */
  readonly isIndex?: boolean | undefined
  /** Names of documents that make a folder one of this format, the one that tells most first: the folder is probed for them. */
  readonly folderDocuments?: readonly string[] | undefined
  /** What a document of such a name looks like; JSON, where this is absent. */
  readonly folderCheck?: ((name: string) => ObjectCheck) | undefined
  /** Its sources keep their versions: the option `ref` names one. */
  readonly hasRefs?: boolean | undefined
  /** Whether a file of this name says only at its end what it is. */
  saysAtEnd?(url: URL): boolean
  /** Files that the format will look for beside one of this name: they are opened at the same time. */
  sidecars?(url: string, options: ParseOptions): readonly string[]
  /** By magic bytes: no I/O, never throws. The last bytes are given where `saysAtEnd` asks for them. */
  recognises(head: Uint8Array, url: URL, tail?: Uint8Array): boolean
  /** For listings of files nobody named: whether a file that begins like this format may really be of it. */
  isLikely?(source: Source, options: ReadOptions): Promise<boolean>
  /** Asked when no format recognises the head: whether its mark is further on, by a few small reads. */
  isFurtherOn?(source: Source, options: ReadOptions): Promise<boolean>
}

/** One file format, stateless. */
export interface Format extends FormatMark {
  parse(source: Source, context: ParseContext): Promise<VirtualNode>
  /** Who makes again what its trees hold besides data: indexes, when they come from where opened stores are kept. */
  readonly makers?: readonly Maker[] | undefined
}
