import { isVirtualZarrError, VirtualZarrError } from '../errors.ts'
import type { Format } from '../formats/format.ts'
import { folderDocumentsOf } from '../formats/registry.ts'
import { publicUrl } from '../source/public-url.ts'
import type { Source, Sources } from '../source/source.ts'
import { turn } from '../turns.ts'

/** What opening needs of the world. */
export interface FolderWays {
  readonly sources: Sources
  /** All that may be found, asked in this order; without it those that are built in. */
  readonly formats?: readonly Format[] | undefined
}

/** Opens a file; a URL that ends in `/` or that does not exist is probed as a folder for the documents of formats (URL-6). */
export async function openFolder(url: string, world: FolderWays, signal: AbortSignal): Promise<Source> {
  // Of many that are asked for at the same moment one after the other begins.
  await turn()
  if (new URL(url).pathname.endsWith('/')) return await probe(url, world, signal)
  try {
    return await world.sources.open(url, { signal })
  } catch (error) {
    // Object stores answer 403 for what does not exist, to those who may not list.
    const isDenied = isVirtualZarrError(error, 'source-denied')
    if (!isDenied && !isVirtualZarrError(error, 'source-not-found')) throw error
    return await probe(url, world, signal).catch((reason) => {
      // No folder either: what was said of the file holds.
      const isNone = isVirtualZarrError(reason, 'source-denied') || isVirtualZarrError(reason, 'source-not-found')
      throw isDenied && isNone ? error : reason
    })
  }
}

async function probe(url: string, { sources, formats }: FolderWays, signal: AbortSignal): Promise<Source> {
  const folderDocuments = folderDocumentsOf(formats)
  const answers = await Promise.allSettled(
    folderDocuments.map(({ name, check }) => sources.open(below(url, name), { signal, check })),
  )
  let denial: unknown
  for (const answer of answers) {
    if (answer.status === 'fulfilled') return answer.value
    if (isVirtualZarrError(answer.reason, 'source-denied')) denial ??= answer.reason
    // Else only "it isn't there" lets the next candidate speak: an origin that fails must not make a store look older than it is.
    else if (!isVirtualZarrError(answer.reason, 'source-not-found')) throw answer.reason
  }
  if (denial !== undefined) throw denial
  throw new VirtualZarrError(
    'source-not-found',
    `neither a file nor a folder with ${folderDocuments.map(({ name }) => name).join(', ')} is there`,
    { url: publicUrl(url) },
  )
}

function below(folder: string, name: string): string {
  const url = new URL(folder)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`
  return url.href
}
