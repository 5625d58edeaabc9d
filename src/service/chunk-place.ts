import { filesWithin } from '../compose/files-within.ts'
import type { FoundChunk, StoredChunk } from '../compose/found-chunk.ts'
import { regionOfChunk } from '../compose/region.ts'
import type { DeliveryPlan, DeliveryWorld } from '../delivery/delivery.ts'
import { planOfStored } from '../delivery/plan.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { digest } from './document.ts'
import type { JoinSources, OpenedPart } from './join/join-world.ts'
import type { ParsedSource } from './open-source.ts'
import type { OpenedSource } from './opened-source.ts'
import type { StoreRequest } from './store-request.ts'

/** Where a chunk is: of which array, what it is there, and of which source. */
export interface ChunkPlace {
  readonly array: VirtualArray
  readonly plan: DeliveryPlan
  /** Begins its ETag: it names the version of all that the chunk is made of. */
  readonly tag: string
  /** Of a join: the sources that it is made of, as they are open here. */
  readonly versions?: string | undefined
  /** What delivers it. */
  readonly world: DeliveryWorld
  /** Its bytes may come from files whose versions the tag does not name. */
  readonly refersElsewhere: boolean
  /** Another version of what the tag names may have the same name. */
  readonly isWeak: boolean
  readonly coords: readonly number[]
  readonly found: FoundChunk
  readonly source: ChunkSource
  /** Told when something of it was found to be of another version. */
  hasChanged(): void
}

/** The source whose version a chunk is of. */
export interface ChunkSource {
  readonly parsed: Pick<ParsedSource, 'isGuessed' | 'references' | 'reading' | 'named'>
  assertFresh(seconds?: number): Promise<void>
}

/** A chunk that is one of an array which the array that is asked for is composed of: found in that array, as one of it. */
export function placeBelow(place: ChunkPlace): ChunkPlace {
  const { found, array, plan, tag, coords } = place
  if (found.kind !== 'stored' || found.array === array) return place
  // Chunks of several arrays may have the same coordinates.
  const ownTag = `${tag}-${coords.join('.')}`
  return { ...place, array: found.array, plan: planOfStored(plan, found.array), coords: found.coords, tag: ownTag }
}

/** Where a chunk of a join is: it is a chunk of one of its sources, or made of several, each of which must be as it was. */
export async function placeInJoin(
  own: ChunkPlace,
  parts: JoinSources,
  source: OpenedSource,
  { signal }: StoreRequest,
): Promise<ChunkPlace> {
  const { found } = own
  if (found.kind === 'stored' && found.file !== undefined)
    return await placeInFile(own, found, found.file, parts, source)
  // Values of the join's own were read of its sources when it was opened.
  if (found.kind !== 'composed') return { ...placeBelow(own), refersElsewhere: true }
  const { array, tag, coords } = own
  const numbers = await filesWithin(array, regionOfChunk(array, coords), signal)
  // Values that the join keeps of its sources: they name the bytes themselves.
  if (numbers.size === 0) return { ...own, refersElsewhere: true }
  const opened = await Promise.all([...numbers].map((part) => parts.opened(part)))
  await Promise.all(opened.map((part) => part.assertFresh()))
  const versions = digest(opened.map(({ parsed }) => parsed.version).join(' '))
  // Which of them has changed is not known before each is asked.
  const hasChanged = () => {
    for (const part of opened) part.doubt()
    source.hasChanged()
  }
  const ids = digest(opened.map(({ world }) => world.codings.id).join(' '))
  const refersElsewhere = opened.some(({ parsed }) => parsed.refersElsewhere) || source.parsed.refersElsewhere
  const isWeak = own.isWeak || opened.some(({ parsed }) => parsed.isWeak)
  return { ...own, tag: `${tag}-${versions}`, versions: `${versions} ${ids}`, refersElsewhere, isWeak, hasChanged }
}

async function placeInFile(
  own: ChunkPlace,
  found: StoredChunk,
  file: number,
  parts: JoinSources,
  source: OpenedSource,
): Promise<ChunkPlace> {
  const part = await parts.opened(file)
  // Of one source several bands, windows or variables may be chunks of the same coordinates.
  const tag = `${own.tag}-${part.parsed.version}`
  const hasChanged = () => {
    part.hasChanged()
    source.hasChanged()
  }
  part.weigh(found.array.chunks)
  const { refersElsewhere } = part.parsed
  const isWeak = own.isWeak || part.parsed.isWeak
  const inFile = { source: sourceOf(part, source), world: part.world, refersElsewhere, isWeak, hasChanged }
  return placeBelow({ ...own, ...inFile, tag, found: { ...found, file: undefined } })
}

/** One source of a join. What its own version doesn't name, the join's doesn't either. */
function sourceOf(part: OpenedPart, join: OpenedSource): ChunkSource {
  const { isGuessed, references, reading, named } = part.parsed
  return {
    parsed: { isGuessed: isGuessed || join.parsed.isGuessed, references, reading, named },
    assertFresh: (seconds) => part.assertFresh(seconds),
  }
}
