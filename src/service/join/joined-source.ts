import { malformed } from '../../errors.ts'
import type { Source } from '../../source/source.ts'
import { digest } from '../document.ts'
import type { ParsedSource } from '../open-source.ts'
import type { PartPool } from './part-pool.ts'
import type { FoundFiles } from './watch.ts'

/** A tree that is made of many sources, and what it was made of. */
export interface Joined
  extends Pick<ParsedSource, 'url' | 'publicUrl' | 'format' | 'root' | 'diagnostics' | 'documents'> {
  readonly pool: PartPool
  readonly found: FoundFiles
  /** `check: none`: the document says that its files don't change. */
  readonly isTrusted?: boolean | undefined
}

/** Sources whose changes are asked for together with the documents': of more, the first and the last. */
const MOST_WATCHED = 64

/** The join as an opened source: of a version that names those of all files that were read. */
export async function joinedSource({
  pool,
  found,
  documents,
  isTrusted = false,
  ...joined
}: Joined): Promise<ParsedSource> {
  const numbers = [...pool.read.keys()]
  const watched =
    numbers.length <= MOST_WATCHED ? numbers : numbers.filter((part) => part === 0 || part === pool.count - 1)
  const read = await Promise.all(watched.map((part) => pool.opened(part)))
  const versions = [...pool.read].sort(([one], [other]) => one - other).map(([part, version]) => `${part} ${version}`)
  pool.settle(
    found,
    (isTrusted ? [] : read).map(({ parsed }, place) => ({
      part: watched[place] ?? 0,
      documents: parsed.documents,
      absent: parsed.absent,
      hasChanged: () => pool.doubt(watched[place] ?? 0),
    })),
  )
  const [document, ...others] = documents
  const own = [joined.url, validatorOf(document), pool.count, ...found.names, ...versions]
  return {
    ...joined,
    version: digest([...own, ...others.map((other) => `${other.url} ${validatorOf(other)}`)].join('\n')),
    // What was not read yet is of no version that the join's could name.
    isGuessed:
      pool.read.size < pool.count ||
      documents.some((other) => other.isGuessed === true) ||
      read.some(({ parsed }) => parsed.isGuessed),
    isWeak: documents.some((other) => other.isWeak === true),
    refersElsewhere: pool.refersElsewhere,
    source: read[0]?.parsed.source ?? document ?? noSources(),
    documents,
    references: [],
    alternatives: new Map(),
    conditions: new Map(),
    parts: pool,
  }
}

function validatorOf(document: Source | undefined): string | number {
  return document?.validator ?? document?.size ?? ''
}

export function noSources(): never {
  throw malformed('a join of no sources')
}
