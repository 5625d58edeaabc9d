import { createHash } from 'node:crypto'
import type { FastifyLoggerOptions, RawServerDefault } from 'fastify'
import type { LoggerOptions } from 'pino'

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
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** The logger: one line of JSON an event, with the request's id, on standard output. */
export function loggerOptions(level: string): FastifyLoggerOptions<RawServerDefault> & LoggerOptions {
  return {
    level,
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', 'req.headers["x-api-key"]'],
      censor: '[removed]',
    },
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
