import { hash } from 'node:crypto'
import type { FastifyLoggerOptions, RawServerDefault } from 'fastify'
import pino, { type DestinationStream, type LoggerOptions } from 'pino'

/** Stores whose shown form is remembered: their chunks are asked for by the thousand. */
const shownStores = new Map<string, string>()
const MOST_STORES = 1000
const MOST_REMEMBERED_LENGTH = 1024
/** `/zarr/{store}`, and a key that nothing can be hidden in. */
const KEY_OF_STORE = /^(\/zarr\/[^/?]*)(\/[^~%:;?]*)$/

/** Source URLs may hold signatures and keys: logs and problems show which store, never its source. */
export function shownPath(target: string): string {
  const [, store = '', key = ''] = KEY_OF_STORE.exec(target) ?? []
  if (store === '' || store.length > MOST_REMEMBERED_LENGTH) return hiddenPath(target)
  const known = shownStores.get(store)
  if (known !== undefined) return known + key
  const shown = hiddenPath(target)
  if (shownStores.size === MOST_STORES) shownStores.clear()
  // What is hidden may reach beyond the store.
  if (shown.endsWith(key)) shownStores.set(store, shown.slice(0, shown.length - key.length))
  return shown
}

function hiddenPath(target: string): string {
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

/** The logger: one line of JSON an event, with the request's id, on standard output. Of headers none are told. */
export function loggerOptions(
  level: string,
): FastifyLoggerOptions<RawServerDefault> & LoggerOptions & { stream: DestinationStream } {
  return {
    level,
    stream: STANDARD_OUTPUT,
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

/** So much is written at once where several processes write to the same pipe (POSIX's PIPE_BUF). */
const MOST_WRITTEN = 4096

/** The lines of one turn of the event loop are written together: one call for each is dear under load. */
class StandardOutput implements DestinationStream {
  #lines = ''
  #output: DestinationStream | undefined

  write(line: string): void {
    this.#output ??= this.#open()
    if (this.#lines.length + line.length > MOST_WRITTEN) this.#flush()
    if (this.#lines === '') setImmediate(this.#flush)
    this.#lines += line
  }

  readonly #flush = () => {
    if (this.#lines !== '') this.#output?.write(this.#lines)
    this.#lines = ''
  }

  /** Whoever logs and ends at once has his line, too. */
  #open(): DestinationStream {
    process.once('exit', this.#flush)
    return pino.destination(1)
  }
}

const STANDARD_OUTPUT = new StandardOutput()
