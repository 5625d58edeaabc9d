import { type Exchange, type HttpAnswer, headerOf } from './exchange.ts'
import { forbidden, lasting } from './failures.ts'
import type { Guard } from './guard.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** Follows redirects by hand; each hop passes the guard where it is asked, none leads from https to http. */
export function withRedirects(inner: Exchange, guard: Guard): Exchange {
  return async (request) => {
    let url = request.url
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const answer = await inner(hop === 0 ? request : { ...request, url })
      if (!REDIRECTS.includes(answer.status)) return answer
      answer.discard()
      url = nextHop(answer, guard)
    }
    throw lasting(`more than ${MAX_REDIRECTS} redirects`, request.url.href)
  }
}

function nextHop(answer: HttpAnswer, guard: Guard): URL {
  const location = headerOf(answer, 'location')
  if (location === undefined || !URL.canParse(location, answer.url.href)) {
    throw lasting('a redirect that names no place', answer.url.href)
  }
  const next = guard.parse(location, answer.url)
  if (next.protocol !== 'https:' && next.protocol !== 'http:') {
    throw forbidden(`a redirect may not lead to the scheme ${next.protocol}`, next.href)
  }
  if (answer.url.protocol === 'https:' && next.protocol === 'http:') {
    throw forbidden('a redirect may not lead from https to http', next.href)
  }
  return next
}
