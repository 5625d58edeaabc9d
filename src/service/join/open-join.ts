import { malformed } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import type { JoinDocument, SourceTree } from '../../joins/document.ts'
import { mergedTrees } from '../../joins/merge.ts'
import type { OpenPart } from '../../joins/parts.ts'
import { type PartTree, partTree, type Selection, treeOf } from '../../joins/tree.ts'
import { TRUNCATED_SOURCE, truncationsOf } from '../../model/truncated-source.ts'
import type { Diagnostic, VirtualNode } from '../../model/virtual-store.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { Source } from '../../source/source.ts'
import { parseSourceUrl } from '../../source/source-url.ts'
import { onlyVariables } from '../../views/subset.ts'
import type { ParsedSource } from '../open-source.ts'
import { isHeldUrl } from './held-documents.ts'
import { joinLevel, type LevelMembers } from './join-level.ts'
import type { JoinWorld, OpenedPart } from './join-world.ts'
import { joinedSource, noSources } from './joined-source.ts'
import { atHandWorld, keptWorld } from './kept-world.ts'
import { decodeLearned, encodeLearned } from './learned.ts'
import { mosaicLevel } from './mosaic-level.ts'
import { PartPool } from './part-pool.ts'
import { partRoot, readPartOptions } from './part-root.ts'
import { SharedValues } from './shared-values.ts'
import { stacLevel } from './stac-level.ts'
import { FoundFiles } from './watch.ts'

/** A join to be opened: what its document says, or the pattern of its URL. */
export interface JoinInput {
  readonly url: string
  readonly document: JoinDocument
  /** The document itself; a pattern has none. */
  readonly source: Source | undefined
}

/** Opens a join: as many of its sources as it says are read, and their trees become one. */
export async function openJoin(
  { url, document, source }: JoinInput,
  world: JoinWorld,
  signal: AbortSignal,
): Promise<ParsedSource> {
  const diagnostics: Diagnostic[] = []
  const pool = new PartPool(url, source !== undefined && !isHeldUrl(url), world, signal)
  const opening = new Opening({ url, pool, world, signal, warn: (diagnostic) => diagnostics.push(diagnostic) })
  const tree = await opening.join(document)
  const root = selected(treeOf(tree.arrays, tree), document)
  const joined = await joinedSource({
    url,
    publicUrl: source === undefined ? shownPattern(url) : publicUrl(url),
    format: 'join',
    root,
    pool,
    found: opening.found,
    isTrusted: [document, ...document.merge].every(({ check }) => check === 'none'),
    documents: [...(source === undefined ? [] : [source]), ...opening.documents],
    diagnostics,
  })
  const isSure = joined.documents.every((document) => document.isGuessed !== true && document.isWeak !== true)
  if (isSure) opening.version = joined.version
  return joined
}

/** Braces as they were given: escaped ones would be of a file's name. */
function shownPattern(url: string): string {
  return publicUrl(url).replace(/%7b/gi, '{').replace(/%7d/gi, '}')
}

function selected(root: VirtualNode, { variables }: JoinDocument): VirtualNode {
  return variables === undefined ? root : onlyVariables(root, variables)
}

function requireNoCoordinates({ coordinates }: JoinDocument): void {
  if (coordinates.size > 0)
    throw malformed('coordinates are for sources along a dimension: those of a mosaic lie where their transforms say')
}

interface OpeningInput {
  readonly url: string
  readonly pool: PartPool
  readonly world: JoinWorld
  readonly signal: AbortSignal
  readonly warn: (diagnostic: Diagnostic) => void
}

/** One join being opened, with those that are merged into it. */
class Opening {
  readonly #url: string
  readonly #pool: PartPool
  readonly #world: JoinWorld
  readonly #signal: AbortSignal
  readonly #warn: (diagnostic: Diagnostic) => void
  /** By document, since each selects and renames by itself, and by opened source. */
  readonly #trees = new Map<object, WeakMap<object, PartTree>>()
  /** Names under `drop` and `rename` that a source has, by document. */
  readonly #used = new Map<object, Set<string>>()
  readonly found = new FoundFiles((folder) => this.#list(folder))

  /** Documents that its own names, and that were read for it. */
  readonly documents: Source[] = []

  /** Of the join, once it is open; it stays absent where a change of its document may be missed. */
  version: string | undefined

  constructor({ url, pool, world, signal, warn }: OpeningInput) {
    this.#url = url
    this.#pool = pool
    this.#world = world
    this.#signal = signal
    this.#warn = warn
  }

  async join(document: JoinDocument): Promise<PartTree> {
    const own = await this.#level(document.sources, document, 0)
    this.#warnOfUnused(document)
    if (document.merge.length === 0) return own
    const trees = [own, ...(await inParallel(document.merge, 4, (merged) => this.join(merged)))]
    const { tree, shared } = mergedTrees(trees)
    const [first, ...others] = trees.map((part): OpenPart => ({ tree: part, part: undefined }))
    if (first === undefined) return tree
    for (const { path, owner, other } of shared) {
      const [one, two] = [trees[owner], trees[other]].map((part) => ({ tree: part ?? tree, part: undefined }))
      if (one === undefined || two === undefined) continue
      await new SharedValues(one, [path], this.#readWorld(), this.#warn).compare(two)
    }
    return others.length === 0 ? own : tree
  }

  /** A name that is misspelled changes nothing, and its variable is served as it is. */
  #warnOfUnused(document: JoinDocument): void {
    const used = this.#used.get(document)
    if (used === undefined) return
    for (const [member, names] of [
      ['drop', document.drop],
      ['rename', document.rename.keys()],
    ] as const) {
      const unused = [...names].filter((name) => !used.has(name))
      if (unused.length === 0) continue
      const shown = `${unused.slice(0, 10).join(', ')}${unused.length > 10 ? ` and ${unused.length - 10} more` : ''}`
      const message = `${member}: no source whose header was read has ${shown}`
      this.#warn({ code: 'join-name-unused', message })
    }
  }

  #readWorld() {
    return this.#world.readFrom(async (part) => keptWorld(await this.#pool.opened(part)))
  }

  async #level(sources: SourceTree, document: JoinDocument, depth: number): Promise<PartTree> {
    const along = document.along[depth] ?? { kind: 'unsaid' }
    const { check, missing, lengths, align, coordinates } = document
    const dimensions = document.along.flatMap((own) => (own.kind === 'unsaid' ? [] : [own.name]))
    const common = {
      along,
      align,
      coordinates,
      dimensions,
      world: this.#readWorld(),
      progress: this.#world.progress,
      warn: this.#warn,
    }
    if (sources.kind === 'rows') {
      const rows = await inParallel(sources.rows, 4, (row) => this.#level(row, document, depth + 1))
      const parts = rows.map((tree): OpenPart => ({ tree, part: undefined }))
      const open = async (position: number) => parts[position] ?? noSources()
      return await joinLevel({
        ...common,
        count: rows.length,
        check: 'all',
        missing: 'refuse',
        lengths: undefined,
        progress: undefined,
        open,
        urlOf: () => undefined,
      })
    }
    if (sources.kind === 'stac') return await this.#stac(sources.url, document)
    const list = await this.found.sourcesOf(sources.specs)
    const options = readPartOptions(document.options)
    const start = this.#pool.add(list, options)
    if (sources.kind === 'mosaic') {
      requireNoCoordinates(document)
      const named = document.along.slice(depth).flatMap((along) => (along.kind === 'existing' ? [along.name] : []))
      const open = (position: number) => this.#open(start + position, document)
      return await mosaicLevel({ ...common, count: list.length, missing, named, rename: document.rename, open })
    }
    return await joinLevel({
      ...common,
      count: list.length,
      check,
      missing,
      lengths,
      open: (position) => this.#open(start + position, document),
      members: this.#members(start, list.length, document),
      urlOf: (position) => list.at(position),
    })
  }

  /** What it learns of its members holds for this version of the join, which names the document and the members that were read to open it. */
  #learnedWords(start: number): readonly string[] {
    return [this.version ?? '', String(start)]
  }

  #members(start: number, count: number, document: JoinDocument): LevelMembers {
    const pool = this.#pool
    return {
      freshSeconds: this.#world.freshSeconds,
      isKnown: (position) => pool.isKnown(start + position),
      isFresh: (position) => pool.isFresh(start + position),
      isStillAbsent: (position) => pool.isStillAbsent(start + position),
      forget: (position) => pool.forget(start + position),
      restore: async () => {
        if (this.version === undefined) return undefined
        const bytes = await this.#world.learned?.read(this.#learnedWords(start))
        const known = bytes && decodeLearned(bytes)
        if (known === undefined || known.versions.ids.length !== count) return undefined
        pool.restore(start, known.versions)
        return known.coordinates
      },
      persist: (coordinates) => {
        if (this.version === undefined) return
        const bytes = encodeLearned({ versions: pool.versionsOf(start, count), coordinates })
        if (bytes !== undefined) this.#world.learned?.write(this.#learnedWords(start), bytes)
      },
      atHand: async (position) => {
        const opened = await pool.opened(start + position)
        return this.#world.readFrom(async () => atHandWorld(opened))
      },
      visit: (position, use) =>
        pool.visit(start + position, async (opened) => {
          const part = this.#treeOf(start + position, opened, document)
          const { readFrom } = this.#world
          const world = readFrom(async () => keptWorld(opened))
          return await use({ part, world, atHand: readFrom(async () => atHandWorld(opened)) })
        }),
    }
  }

  async #open(part: number, selection: Selection & Pick<JoinDocument, 'options'>): Promise<OpenPart> {
    return this.#treeOf(part, await this.#pool.opened(part), selection)
  }

  #treeOf(part: number, opened: OpenedPart, selection: Selection & Pick<JoinDocument, 'options'>): OpenPart {
    const trees = this.#trees.get(selection) ?? new WeakMap<object, PartTree>()
    this.#trees.set(selection, trees)
    const known = trees.get(opened)
    if (known !== undefined) return { tree: known, part }
    const options = readPartOptions(selection.options)
    const { publicUrl: shown, diagnostics } = opened.parsed
    for (const message of truncationsOf(diagnostics))
      this.#warn({ code: TRUNCATED_SOURCE, message: `${shown}: ${message}` })
    const root = partRoot(opened.parsed.root, options, part === 0 ? this.#warn : () => undefined)
    const used = this.#used.get(selection) ?? new Set<string>()
    this.#used.set(selection, used)
    const tree = partTree(root, opened.parsed.publicUrl, selection, (name) => used.add(name))
    trees.set(opened, tree)
    return { tree, part }
  }

  async #stac(url: string, join: JoinDocument): Promise<PartTree> {
    const own = { pool: this.#pool, world: this.#world, signal: this.#signal, warn: this.#warn }
    const { tree, documents } = await stacLevel({ url, base: this.#base, join, ...own })
    this.documents.push(...documents)
    return tree
  }

  get #base(): URL | undefined {
    return URL.canParse('.', this.#url) ? new URL(this.#url) : undefined
  }

  async #list(folder: string): Promise<readonly string[]> {
    // A pattern without a folder names files beside the document; an empty reference would be the document itself (RFC 3986, 5.2.2).
    const { href } = parseSourceUrl(folder === '' ? './' : folder, this.#base)
    const names = await this.#world.list(this.#pool.placeOf(href))
    if (names !== undefined) return names
    throw malformed(
      `${publicUrl(href)} has no listing, so that no glob finds anything in it; a list or a template names files`,
    )
  }
}
