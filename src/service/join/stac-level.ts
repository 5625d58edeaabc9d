import { invalidRequest, malformed, unsupported } from '../../errors.ts'
import type { JoinDocument } from '../../joins/document.ts'
import { isStac } from '../../joins/stac/read-stac.ts'
import { type PartTree, partTree } from '../../joins/tree.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { Source } from '../../source/source.ts'
import { parseSourceUrl } from '../../source/source-url.ts'
import { HEAD_BYTES } from '../join-formats.ts'
import { isBelow } from '../parse-context.ts'
import type { JoinWorld } from './join-world.ts'
import { StacOpening } from './open-stac.ts'
import type { PartPool } from './part-pool.ts'
import { referredSources } from './referred-sources.ts'

/** Images that a document of STAC names, as sources of a join. */
export interface StacLevel {
  /** As the join names it. */
  readonly url: string
  /** What relative URLs count from. */
  readonly base: URL | undefined
  readonly join: JoinDocument
  readonly pool: PartPool
  readonly world: JoinWorld
  readonly signal: AbortSignal
  warn(diagnostic: Diagnostic): void
}

/** The tree of the document, and all documents that were read for it. */
export async function stacLevel(level: StacLevel): Promise<{ tree: PartTree; documents: readonly Source[] }> {
  const { join, pool, world, signal } = level
  requireTime(join)
  const { url, referrer } = pool.placeOf(parseSourceUrl(level.url, level.base).href)
  const sources = referrer === undefined ? world.sources : referredSources(world.sources, referrer)
  const source = await sources.open(url, { signal })
  const head = await source.read({ offset: 0, length: Math.min(HEAD_BYTES, source.size) }, { signal })
  if (!isStac(head)) throw malformed(`${publicUrl(url)} is no document of STAC`)
  // Nobody lends it what the join itself may not name.
  const referrerOf = (asset: string) => referrer ?? (isBelow(asset, url) ? undefined : url)
  const opening = new StacOpening({ pool, referrerOf, world, signal })
  const root = await opening.root(source, assetsOf(join))
  for (const diagnostic of opening.diagnostics) level.warn(diagnostic)
  return { tree: partTree(root, publicUrl(url), join), documents: opening.documents }
}

/** What is said of sources along a dimension says nothing of these. */
function requireTime({ along: [along], lengths, align, missing, coordinates }: JoinDocument): void {
  const isTime = along?.kind === 'unsaid' || (along?.kind === 'existing' && along.name === 'time')
  if (!isTime) throw malformed('sources of STAC lie along time, by the datetime of each Item')
  if (lengths !== undefined || align !== 'exact' || missing !== 'refuse' || coordinates.size > 0)
    throw unsupported('join: stac', 'lengths, align, missing and coordinates are not for sources of STAC')
}

function assetsOf({ options }: JoinDocument): readonly string[] | undefined {
  const other = [...options.keys()].find((name) => name !== 'assets')
  if (other !== undefined)
    throw invalidRequest(`options.${other} of a join is not about sources of STAC, which take assets`, {
      option: other,
    })
  return options.get('assets')?.split(',')
}
