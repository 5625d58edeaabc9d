import { hash } from 'node:crypto'
import type { FastifyLoggerOptions, RawServerDefault } from 'fastify'
import type { DestinationStream, LoggerOptions } from 'pino'
import { BatchedOutput } from './batched-output.ts'

/** Source URLs may hold signatures and keys: logs and problems show which store, never its source. */
export function shownPath(target: string): string {
  const [path = '', query] = target.split('?', 2)
  const shown = path
    // A signature opens what it is of.
    .replace(/((?:;|%3b)sig(?:=|%3d))[^/;%]*/gi, '$1…')
    .replace(
      /^\/zarr\/(?![a-z0-9][a-z0-9._-]*(?:[;/]|$))([^/]*)/,
      (_match, segment: string) => `/zarr/~${shortHash(segment)}`,
    )
    // A store URL that was misspelled holds a source all the same.
    .replace(
      /\/(?!~[0-9a-f]{8}(?:\/|$))((?:~|%7e)[^/]*|[^/]*(?:%3a|:).*)/gis,
      (_match, segment: string) => `/~${shortHash(segment)}`,
    )
  return query === undefined ? shown : `${shown}?…`
}

function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 8)
}

const OUTPUT = new BatchedOutput()

/** The logger: one line of JSON an event, with the request's id, on standard output. Of headers none are told. */
export function loggerOptions(
  level: string,
): FastifyLoggerOptions<RawServerDefault> & LoggerOptions & { stream: DestinationStream } {
  return {
    level,
    stream: OUTPUT,
    serializers: {
      req: (request) => ({
        id: request.id,
        method: request.method,
        path: shownPath(request.url),
        remoteAddress: request.ip,
      }),
    },
  }
}
