import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PAGE_HEADERS } from '../../../routes/headers.ts'
import { isVirtualZarrError } from '../../errors.ts'
import type { AccessControl } from '../access/access-control.ts'

/** Files of the explorer: everybody has their source, and browsers send no key for scripts. */
const OPEN_FILES = /^\/(?:assets|library)\//

/** Refuses requests that access control doesn't let in. Browsers that bring no key are answered with a page that takes one. */
export function controlAccess(http: FastifyInstance, access: AccessControl, lockedPage: () => string): void {
  http.addHook('onRequest', (request, reply, done) => {
    // By the route that was found: a path may be spelled in many ways.
    const route = request.routeOptions.url ?? ''
    if (route.startsWith('/health/')) return done()
    if (access.isClosed(route)) return void reply.callNotFound()
    try {
      const turn = access.enter(request, reply, OPEN_FILES.test(route))
      if (turn === undefined) return done()
      turn.then(
        () => done(),
        // Nobody waits for the answer any more.
        () => reply.hijack(),
      )
    } catch (error) {
      if (access.takesKeys && isVirtualZarrError(error, 'unauthorized') && isPageOfPerson(route, request))
        return void reply
          .code(401)
          .headers({ ...PAGE_HEADERS, 'www-authenticate': 'Bearer', 'cache-control': 'no-store', vary: 'Accept' })
          .send(lockedPage())
      done(error as Error)
    }
  })
}

/** Programs are told what is wrong as elsewhere, in JSON. */
function isPageOfPerson(route: string, { headers: { accept = '' } }: FastifyRequest): boolean {
  return route === '/' && /\btext\/html\b/.test(accept)
}
