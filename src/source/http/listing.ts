import { anyText } from '../../bytes/text.ts'
import { overLimit } from '../../errors.ts'
import { publicUrl } from '../public-url.ts'
import { codingOf, headerOf, statusError } from './answer.ts'
import { bytesUpTo } from './body.ts'
import type { HttpAnswer } from './exchange.ts'
import { readHtmlListing } from './html-listing.ts'
import type { HttpWorld } from './open.ts'

/** Longest index page that is read. */
const MOST_LISTING_BYTES = 4 * 1024 * 1024
/** What origins answer that have no listing, or none for us. */
const NO_LISTING = [400, 401, 403, 404, 405, 406, 410]

/** Names that an origin's index page lists directly below a folder; undefined when it has none. */
export async function listHttpFolder(
  folder: URL,
  world: Pick<HttpWorld, 'exchange' | 'settings'>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const answer = await world.exchange({ url: folder, method: 'GET', headers: { accept: 'text/html' }, signal })
  if (NO_LISTING.includes(answer.status)) {
    answer.discard()
    return undefined
  }
  if (answer.status !== 200) {
    answer.discard()
    throw statusError(answer)
  }
  if (!isPlainPage(answer) || !answer.url.pathname.endsWith('/')) {
    answer.discard()
    return undefined
  }
  const page = await bytesUpTo(world.settings, answer, MOST_LISTING_BYTES, signal)
  if (page === undefined) {
    throw overLimit(`the listing is longer than ${MOST_LISTING_BYTES} bytes`, { url: publicUrl(folder.href) })
  }
  return await readHtmlListing(anyText(page), answer.url)
}

function isPlainPage(answer: HttpAnswer): boolean {
  const isHtml = /^\s*text\/html\b/i.test(headerOf(answer, 'content-type') ?? '')
  return isHtml && codingOf(answer) === undefined
}
