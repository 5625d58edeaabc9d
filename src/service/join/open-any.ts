import type { Sources } from '../../source/source.ts'
import { type JoinOpener, openSource, type ParsedSource } from '../open-source.ts'
import type { StoreAddress } from '../store-address.ts'
import { parseKeyOf } from '../store-options.ts'
import type { JoinWorld, PartAddress } from './join-world.ts'
import { OPENERS } from './openers.ts'
import { referredSources } from './referred-sources.ts'

/** What is opened: for a store, or as a source of a join, maybe on the word of its document. */
export interface SourceAddress extends Pick<StoreAddress, 'sourceUrl' | 'options' | 'sourceKey'> {
  readonly part?: { readonly referrer: string | undefined } | undefined
}

/** The address of a source of a join. Its key is its own: it may be read on another's word, and must be no join. */
export function partAddress({ url, referrer, options }: PartAddress): SourceAddress {
  return {
    sourceUrl: url,
    options,
    sourceKey: `part ${referrer ?? ''} ${parseKeyOf(options)} ${url}`,
    part: { referrer },
  }
}

/** The way to a source and to what it names. */
export function sourcesFor({ part }: Pick<SourceAddress, 'part'>, sources: Sources): Sources {
  return part?.referrer === undefined ? sources : referredSources(sources, part.referrer)
}

/** Opens a source. One of a join is a file; anything else may be a join, by its URL or by what it says of itself. */
export async function openAny(
  { sourceUrl, options, part }: SourceAddress,
  given: Omit<JoinWorld, 'list'>,
): Promise<ParsedSource> {
  const { sources, formats, limits, openings, pages } = given
  if (part !== undefined) return await openSource(sourceUrl, options, { sources, formats, limits, openings, pages })
  const world: JoinWorld = {
    ...given,
    list: ({ url, referrer }) => sourcesFor({ part: { referrer } }, sources).list(url),
  }
  const joins: JoinOpener = {
    openDocument: (document, chosen, signal) => OPENERS.openDocument(document, chosen, signal, world),
    openStac: (document, chosen, signal) => OPENERS.openStac(document, chosen, signal, world),
    openVrt: (document, signal) => OPENERS.openVrt(document, signal, world),
    openPattern: (pattern, chosen, signal) => OPENERS.openPattern(pattern, chosen, signal, world),
  }
  return await openSource(sourceUrl, options, { sources, formats, limits, openings, pages, joins })
}
