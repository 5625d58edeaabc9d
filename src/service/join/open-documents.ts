import { invalidRequest, overLimit } from '../../errors.ts'
import type { Along, JoinDocument } from '../../joins/document.ts'
import { readJoinDocument } from '../../joins/read-document.ts'
import type { Source } from '../../source/source.ts'
import type { ParsedSource } from '../open-source.ts'
import type { StoreOptions } from '../store-options.ts'
import type { JoinWorld } from './join-world.ts'
import { openJoin } from './open-join.ts'

/** Documents are read whole; its reader knows narrower bounds. */
const MOST_DOCUMENT_BYTES = 2 ** 25

/** Opens a join by its document. */
export async function openDocument(
  source: Source,
  options: StoreOptions,
  signal: AbortSignal,
  world: JoinWorld,
): Promise<ParsedSource> {
  if (options.along !== undefined) {
    throw invalidRequest('the option along is for URLs that name many files; a join document says it itself', {
      option: 'along',
    })
  }
  if (source.size > MOST_DOCUMENT_BYTES) throw overLimit(`a join document of ${source.size} bytes`)
  const bytes = await source.read({ offset: 0, length: source.size }, { signal })
  source.settle?.()
  return await openJoin({ url: source.url, document: await readJoinDocument(bytes), source }, world, signal)
}

/** Opens the join that a URL with braces or stars stands for. */
export async function openPattern(
  url: string,
  options: StoreOptions,
  signal: AbortSignal,
  world: JoinWorld,
): Promise<ParsedSource> {
  const along: Along = options.along === undefined ? { kind: 'unsaid' } : { kind: 'existing', name: options.along }
  const document: JoinDocument = {
    sources: { kind: 'sources', specs: [{ kind: 'pattern', pattern: url }] },
    along: [along],
    variables: undefined,
    drop: [],
    rename: new Map(),
    options: new Map(options.format === undefined ? [] : [['format', options.format]]),
    merge: [],
    check: 'first-and-last',
    missing: 'refuse',
    lengths: undefined,
    align: 'exact',
    coordinates: new Map(),
  }
  return await openJoin({ url, document, source: undefined }, world, signal)
}
