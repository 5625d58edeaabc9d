import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { needsProof } from '../access/access-control.ts'
import type { AccessSettings } from '../access/settings.ts'

/**
 * Where stores are only for those who bring a key or a signature, no shared cache may hand on any answer: each says `private` or
 * `no-store`, and by which headers it was chosen. That is done where heads are written, which no answer gets past: an `onSend` hook sees none of
 * the bodies that a route writes itself.
 */
export function keepAnswersPrivate(http: FastifyInstance, access: AccessSettings): void {
  if (!needsProof(access)) return
  // Node answers unknown expectations itself, which a server may ignore (RFC 9110, 10.1.1).
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response))
  // A signature is in the URL, by which every cache tells answers apart.
  const fields = access.apiKeys.length > 0 ? ['Authorization', 'X-API-Key'] : []
  http.addHook('onRequest', (_request, { raw }, done) => {
    const writeHead = raw.writeHead.bind(raw) as (status: number, headers: OutgoingHttpHeaders) => ServerResponse
    raw.writeHead = (status: number, given: unknown) => {
      // Fastify names headers in lower case; those of a stream it sets on the response.
      const headers = { ...raw.getHeaders(), ...(given as OutgoingHttpHeaders | undefined) }
      headers['cache-control'] = privateCaching(headers['cache-control'])
      if (fields.length > 0) headers['vary'] = withFields(headers['vary'], fields)
      return writeHead(status, headers)
    }
    done()
  })
}

/** What says nothing of caches has no validator either: nothing is won by storing it. */
function privateCaching(text: string | undefined): string {
  if (text === undefined) return 'no-store'
  const directives = text.split(',').map((directive) => directive.trim())
  if (directives.some((directive) => /^(?:private|no-store)$/i.test(directive))) return text
  const kept = directives.filter(
    (directive) => directive !== '' && !/^(?:public|s-maxage(?:=.*)?|private=.*)$/i.test(directive),
  )
  return ['private', ...kept].join(', ')
}

function withFields(text: string | undefined, fields: readonly string[]): string {
  const named = (text ?? '').split(',').map((field) => field.trim())
  if (named.includes('*')) return '*'
  const known = named.map((field) => field.toLowerCase())
  return [
    ...named.filter((field) => field !== ''),
    ...fields.filter((field) => !known.includes(field.toLowerCase())),
  ].join(', ')
}
