import type { DeliveryPlan, DeliveryWorld } from '../delivery/delivery.ts'
import { malformed } from '../errors.ts'
import { partsWithin } from '../joins/parts-within.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { digest } from './document.ts'
import type { JoinSources, OpenedPart } from './join/join-world.ts'
import type { ParsedSource } from './open-source.ts'
import type { OpenedSource } from './opened-source.ts'
import type { StoreRequest } from './store-request.ts'

/** Where a chunk is: in which array, under which reference, of which source. */
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
  readonly ref: ChunkRef
  readonly source: ChunkSource
  /** Told when something of it was found to be of another version. */
  hasChanged(): void
}

/** The source whose version a chunk is of. */
export interface ChunkSource {
  readonly parsed: Pick<ParsedSource, 'isGuessed' | 'references' | 'reading' | 'named'>
  assertFresh(seconds?: number): Promise<void>
}

/** Where a chunk of a join is: it is a chunk of one of its sources, or made of several, each of which must be as it was. */
export async function placeInJoin(
  own: ChunkPlace,
  parts: JoinSources,
  source: OpenedSource,
  { signal }: StoreRequest,
): Promise<ChunkPlace> {
  const { array, plan, tag, coords, ref } = own
  if (ref.kind === 'part') {
    const part = await parts.opened(ref.part)
    const partPlan = plan.forPart?.(ref.array)
    if (partPlan === undefined) throw malformed('a chunk is one of another array in an array that is no join')
    // Of one source several bands, windows or variables may be chunks of the same coordinates.
    const partTag = `${tag}-${part.parsed.version}-${coords.join('.')}`
    const inner = { array: ref.array, plan: partPlan, tag: partTag, coords: ref.coords }
    const hasChanged = () => {
      part.hasChanged()
      source.hasChanged()
    }
    const { chunks } = ref.array
    part.weigh(chunks)
    const at = await chunks.at(ref.coords, signal)
    part.weigh(chunks)
    const { refersElsewhere } = part.parsed
    const isWeak = own.isWeak || part.parsed.isWeak
    return { ...inner, ref: at, source: sourceOf(part, source), world: part.world, refersElsewhere, isWeak, hasChanged }
  }
  // Values of the join's own were read of its sources when it was opened.
  if (ref.kind !== 'assembled') return { ...own, refersElsewhere: true }
  const origin = array.chunkShape.map((length, axis) => length * (coords[axis] ?? 0))
  const numbers = await partsWithin(array, { origin, shape: array.chunkShape }, signal)
  // Values that the join keeps of its sources: they name the bytes themselves.
  if (numbers.size === 0) return { ...own, refersElsewhere: true }
  const found = await Promise.all([...numbers].map((part) => parts.opened(part)))
  await Promise.all(found.map((part) => part.assertFresh()))
  const versions = digest(found.map(({ parsed }) => parsed.version).join(' '))
  // Which of them has changed is not known before each is asked.
  const hasChanged = () => {
    for (const part of found) part.doubt()
    source.hasChanged()
  }
  const opened = digest(found.map(({ world }) => world.codings.id).join(' '))
  const refersElsewhere = found.some(({ parsed }) => parsed.refersElsewhere) || source.parsed.refersElsewhere
  const isWeak = own.isWeak || found.some(({ parsed }) => parsed.isWeak)
  return { ...own, tag: `${tag}-${versions}`, versions: `${versions} ${opened}`, refersElsewhere, isWeak, hasChanged }
}

/** One source of a join. What its own version doesn't name, the join's doesn't either. */
function sourceOf(part: OpenedPart, join: OpenedSource): ChunkSource {
  const { isGuessed, references, reading, named } = part.parsed
  return {
    parsed: { isGuessed: isGuessed || join.parsed.isGuessed, references, reading, named },
    assertFresh: (seconds) => part.assertFresh(seconds),
  }
}
