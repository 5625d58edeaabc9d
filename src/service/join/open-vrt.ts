import { utf8Text } from '../../bytes/text.ts'
import { isVirtualZarrError, malformed, overLimit, unsupported, VirtualZarrError } from '../../errors.ts'
import { spelledOut } from '../../joins/sources/source-list.ts'
import type { OpenImage } from '../../joins/vrt/bands-array.ts'
import type { VrtDocument, VrtFile, VrtSource } from '../../joins/vrt/document.ts'
import { fileUrl } from '../../joins/vrt/file-url.ts'
import { imageOf, imageOfBands, type VrtImage } from '../../joins/vrt/image.ts'
import { readVrt } from '../../joins/vrt/read-vrt.ts'
import { vrtImage, vrtTree } from '../../joins/vrt/vrt-tree.ts'
import type { Diagnostic, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { Source } from '../../source/source.ts'
import { parseSourceUrl } from '../../source/source-url.ts'
import { turn } from '../../turns.ts'
import type { ParsedSource } from '../open-source.ts'
import type { JoinWorld, OpenedPart } from './join-world.ts'
import { joinedSource } from './joined-source.ts'
import { PartPool } from './part-pool.ts'
import { partRoot, readPartOptions } from './part-root.ts'
import { referredSources } from './referred-sources.ts'
import { FoundFiles } from './watch.ts'

/** Documents are read whole. */
const MOST_DOCUMENT_BYTES = 2 ** 25
/** How many documents may stand in each other, and how many in one store. */
const MOST_NESTING = 8
const MOST_DOCUMENTS = 1000
const MOST_FILES = 100_000
const MAX_DIAGNOSTICS = 1000

/** Opens a virtual raster of GDAL: its first file is read, the others when one of their chunks is asked for. */
export async function openVrt(source: Source, signal: AbortSignal, world: JoinWorld): Promise<ParsedSource> {
  const diagnostics: Diagnostic[] = []
  const pool = new PartPool(source.url, true, world, signal)
  const warn = (diagnostic: Diagnostic) => {
    if (diagnostics.length < MAX_DIAGNOSTICS) diagnostics.push(diagnostic)
  }
  const opening = new VrtOpening(pool, source, world, signal, warn)
  const document = await opening.read(source, [source.url])
  const root = await vrtTree(document, opening.imagesIn([source.url]), warn)
  return await joinedSource({
    url: source.url,
    publicUrl: publicUrl(source.url),
    format: 'vrt',
    root,
    pool,
    found: new FoundFiles(async () => []),
    documents: opening.documents,
    diagnostics,
  })
}

class VrtOpening {
  readonly documents: Source[] = []
  readonly #pool: PartPool
  readonly #root: Source
  readonly #world: JoinWorld
  readonly #signal: AbortSignal
  readonly #warn: (diagnostic: Diagnostic) => void
  /** Numbers of files among all sources, and what was made of them, by URL. */
  readonly #parts = new Map<string, number>()
  readonly #images = new WeakMap<OpenedPart, VrtImage>()
  readonly #nested = new Map<string, Promise<VrtImage>>()

  constructor(
    pool: PartPool,
    root: Source,
    world: JoinWorld,
    signal: AbortSignal,
    warn: (diagnostic: Diagnostic) => void,
  ) {
    this.#pool = pool
    this.#root = root
    this.#world = world
    this.#signal = signal
    this.#warn = warn
  }

  /** Reads a document; `chain` are the URLs of those that it stands in, its own the last. */
  async read(source: Source, chain: readonly string[]): Promise<VrtDocument> {
    if (source.size > MOST_DOCUMENT_BYTES) throw overLimit(`a VRT of ${source.size} bytes`)
    if (this.documents.length >= MOST_DOCUMENTS) throw overLimit(`a VRT of more than ${MOST_DOCUMENTS} documents`)
    const bytes = await source.read({ offset: 0, length: source.size }, { signal: this.#signal })
    source.settle?.()
    this.documents.push(source)
    const text = utf8Text(bytes)
    if (text === undefined) throw malformed('a VRT is UTF-8')
    try {
      const document = await readVrt(text, (diagnostic) => this.#warnOf(diagnostic, source, chain))
      await this.#addFiles(document, chain)
      return document
    } catch (error) {
      if (chain.length < 2 || !isVirtualZarrError(error)) throw error
      throw new VirtualZarrError(error.code, `${publicUrl(source.url)}: ${error.message}`, error.context, error)
    }
  }

  /** Diagnostics of documents within others have their names. */
  #warnOf(diagnostic: Diagnostic, { url }: Source, chain: readonly string[]): void {
    this.#warn(chain.length < 2 ? diagnostic : { ...diagnostic, message: `${publicUrl(url)}: ${diagnostic.message}` })
  }

  /** All files have their numbers when the store is opened; what a document may not name is refused then, too. */
  async #addFiles({ bands, mask }: VrtDocument, chain: readonly string[]): Promise<void> {
    for (const band of mask === undefined ? bands : [...bands, mask]) {
      for (const { file } of band.sources) {
        const wait = turn()
        if (wait !== undefined) await wait
        const url = this.#urlOf(file, chain)
        if (isVrtUrl(url) || this.#parts.has(url)) continue
        if (this.#parts.size >= MOST_FILES) throw overLimit(`a VRT of more than ${MOST_FILES} files`)
        this.#parts.set(url, this.#pool.add(spelledOut([url]), readPartOptions(new Map())))
      }
    }
  }

  #urlOf(file: VrtFile, chain: readonly string[]): string {
    const base = chain.at(-1) ?? this.#root.url
    return parseSourceUrl(fileUrl(file, new URL(base))).href
  }

  /** The way to the files of a document. */
  imagesIn(chain: readonly string[]): OpenImage {
    const urls = new WeakMap<VrtSource, string>()
    return async (source) => {
      const url = urls.get(source) ?? this.#urlOf(source.file, chain)
      urls.set(source, url)
      return isVrtUrl(url) ? await this.#nestedImage(url, chain) : await this.#fileImage(url)
    }
  }

  async #fileImage(url: string): Promise<VrtImage> {
    const part = this.#parts.get(url)
    if (part === undefined) throw malformed(`${publicUrl(url)} is no source of the VRT`)
    const opened = await this.#pool.opened(part)
    const known = this.#images.get(opened)
    if (known !== undefined) return known
    const { root, format, publicUrl: shown } = opened.parsed
    if (format !== 'tiff')
      throw unsupported(`VRT: sources of ${format}`, `${shown} is ${format}; of sources of a VRT only TIFFs are read`)
    const tree = partRoot(root, {}, () => undefined)
    const bands = tree.kind === 'group' ? bandArraysOf(tree) : []
    const member = tree.kind === 'group' ? (tree.members.get('band_data') ?? bands[0]) : tree
    if (member?.kind === 'skipped') throw new VirtualZarrError(member.code, `${shown}: ${member.reason}`)
    if (member?.kind !== 'array') throw malformed(`${shown} has no image`)
    const image = bands.length > 0 ? imageOfBands(member, bands, shown, part) : imageOf(member, shown, part)
    this.#images.set(opened, image)
    return image
  }

  /** A document within a document, read once. */
  async #nestedImage(url: string, chain: readonly string[]): Promise<VrtImage> {
    if (chain.includes(url)) throw malformed(`${publicUrl(url)} is a source of itself`)
    if (chain.length >= MOST_NESTING) throw overLimit(`VRTs stand in each other more than ${MOST_NESTING} deep`)
    const opening = this.#nested.get(url) ?? this.#openNested(url, [...chain, url])
    this.#nested.set(url, opening)
    return await opening
  }

  async #openNested(url: string, chain: readonly string[]): Promise<VrtImage> {
    const { referrer } = this.#pool.placeOf(url)
    const { sources } = this.#world
    const from = referrer === undefined ? sources : referredSources(sources, referrer)
    const source = await from.open(url, { signal: this.#signal })
    const document = await this.read(source, chain)
    return await vrtImage(document, publicUrl(url), this.imagesIn(chain))
  }
}

/** The arrays of a TIFF whose bands differ in scale, offset or nodata value. */
function bandArraysOf({ members }: VirtualGroup): readonly VirtualArray[] {
  const bands: VirtualArray[] = []
  for (let band = members.get('band_1'); band?.kind === 'array'; band = members.get(`band_${bands.length + 1}`))
    bands.push(band)
  return bands
}

function isVrtUrl(url: string): boolean {
  return /\.vrt$/i.test(new URL(url).pathname)
}
