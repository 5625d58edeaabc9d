import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { needsProof } from './gatekeeper.ts'
import type { AccessSettings } from './settings.ts'

/**
 * Where stores are only for those who bring a key or a signature, no shared cache may hand on any answer, whatever wrote its head:
 * Fastify, or the routes that write past it. Each says `private` or `no-store`, and by which headers it was chosen.
 */
export function keepAnswersPrivate(http: FastifyInstance, access: AccessSettings): void {
  if (!needsProof(access)) return
  // Node answers unknown expectations itself, which a server may ignore (RFC 9110, 10.1.1).
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response))
  // A signature is in the URL, by which every cache tells answers apart.
  const fields = access.apiKeys.length > 0 ? ['Authorization', 'X-API-Key'] : []
  http.addHook('onRequest', (_request, reply, done) => {
    const { raw } = reply
    const writeHead = raw.writeHead.bind(raw) as (status: number, ...rest: readonly unknown[]) => ServerResponse
    raw.writeHead = (status: number, ...rest: readonly unknown[]) => {
      const head = headersOf(rest.at(-1))
      const caching = fieldOf(raw, head, 'cache-control')
      set(raw, head, 'cache-control', privateCaching(caching))
      if (fields.length > 0) set(raw, head, 'vary', withFields(fieldOf(raw, head, 'vary'), fields))
      return writeHead(status, ...rest.slice(0, -1), ...(head === undefined ? rest.slice(-1) : [head]))
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

/** Headers as `writeHead` takes them: names and values in turn, or an object; copied. */
type Head = string[] | Record<string, unknown>

function headersOf(given: unknown): Head | undefined {
  if (Array.isArray(given)) return [...given]
  return typeof given === 'object' && given !== null ? { ...given } : undefined
}

function fieldOf(response: ServerResponse, head: Head | undefined, name: string): string | undefined {
  const value = inHead(head, name) ?? response.getHeader(name)
  return value === undefined ? undefined : String(value)
}

function inHead(head: Head | undefined, name: string): unknown {
  if (head === undefined) return undefined
  if (!Array.isArray(head)) return head[keyOf(head, name) ?? '']
  const at = indexOf(head, name)
  return at < 0 ? undefined : head[at + 1]
}

function set(response: ServerResponse, head: Head | undefined, name: string, value: string): void {
  if (head === undefined) response.setHeader(name, value)
  else if (!Array.isArray(head)) head[keyOf(head, name) ?? name] = value
  else if (indexOf(head, name) < 0) head.push(name, value)
  else head[indexOf(head, name) + 1] = value
}

function keyOf(head: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return Object.keys(head).find((key) => key.toLowerCase() === name)
}

function indexOf(head: readonly string[], name: string): number {
  return head.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name)
}
