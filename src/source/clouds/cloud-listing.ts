import { anyText } from '../../bytes/text.ts'
import { isVirtualZarrError, overLimit } from '../../errors.ts'
import { statusError } from '../http/answer.ts'
import { bytesUpTo } from '../http/body.ts'
import { lasting } from '../http/failures.ts'
import { publicUrl } from '../public-url.ts'
import type { ListingPage } from './cloud.ts'
import { ask, type CloudWay } from './cloud-exchange.ts'

/** Longest page that is read: a thousand of the longest keys, escaped. */
const MOST_PAGE_BYTES = 8 * 1024 * 1024
/** Most names of one folder. */
const MOST_NAMES = 100_000

/** Names directly below a folder; undefined where listing is not allowed. */
export async function listFolder(
  way: CloudWay,
  folder: URL,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const names = new Set<string>()
  let token: string | undefined
  try {
    do {
      const page: ListingPage = await readPage(way, folder, token, signal)
      if (page.token !== undefined && page.token === token) throw lasting('a listing that does not go on', folder.href)
      for (const name of page.names) names.add(name)
      if (names.size > MOST_NAMES) {
        throw overLimit(`the listing has more than ${MOST_NAMES} names`, { url: publicUrl(folder.href) })
      }
      token = page.token
    } while (token !== undefined)
  } catch (error) {
    if (isVirtualZarrError(error, 'source-denied') || isVirtualZarrError(error, 'source-not-found')) return undefined
    throw error
  }
  return [...names].sort()
}

async function readPage(
  way: CloudWay,
  folder: URL,
  token: string | undefined,
  signal: AbortSignal,
): Promise<ListingPage> {
  const target = () => way.protocol.listUrl(folder, way.place, token)
  const answer = await ask(way, { url: folder, method: 'GET', headers: {}, signal }, target)
  if (answer.status !== 200) {
    answer.discard()
    throw statusError(answer)
  }
  const page = await bytesUpTo(way.settings, answer, MOST_PAGE_BYTES, signal)
  if (page === undefined)
    throw overLimit(`a page of the listing is longer than ${MOST_PAGE_BYTES} bytes`, { url: publicUrl(folder.href) })
  return way.protocol.parsePage(anyText(page), folder)
}
