import { VirtualZarrError } from '../../errors.ts'
import { publicUrl } from '../public-url.ts'

/** The cause of a failure that asking again can't mend. */
class Lasting extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Lasting'
  }
}

/** The guard refuses a URL, name or address. */
export function forbidden(message: string, url: string): VirtualZarrError {
  return new VirtualZarrError('source-forbidden', message, { url: publicUrl(url) })
}

/** The guard refuses what the operator can open: says how. */
export function closed(reason: string, url: string): VirtualZarrError {
  const { origin, hostname } = new URL(url)
  const prefix = `${origin}/`
  const isThisMachine = /^(?:localhost|127\..*|\[::1\])\.?$/.test(hostname)
  const folder = isThisMachine ? ', or on the folder that holds the files: serve FOLDER' : ''
  const message = `${reason}; to read it, start the service with VZ_ALLOW_SOURCES=${prefix} (serve --allow ${prefix})${folder}`
  return forbidden(message, url)
}

/** The origin says that there is no such object. */
export function notFound(message: string, url: string): VirtualZarrError {
  return new VirtualZarrError('source-not-found', message, { url: publicUrl(url) })
}

/** The origin (or the file system) does not let us read. */
export function denied(message: string, url: string): VirtualZarrError {
  return new VirtualZarrError('source-denied', message, { url: publicUrl(url) })
}

/** The origin no longer has the version that was opened. */
export function changed(message: string, url: string): VirtualZarrError {
  return new VirtualZarrError('source-changed', message, { url: publicUrl(url) })
}

/** The origin failed, or answered something that can't be what was asked for; another try may help. */
export function unavailable(message: string, url: string, cause?: unknown): VirtualZarrError {
  return new VirtualZarrError('source-unavailable', message, { url: publicUrl(url) }, cause)
}

/** Like `unavailable`, when asking again is of no use. */
export function lasting(message: string, url: string, cause?: unknown): VirtualZarrError {
  return unavailable(message, url, new Lasting(message, cause))
}

/** The origin said "later". */
export function later(message: string, url: string, retryAfterSeconds: number): VirtualZarrError {
  return new VirtualZarrError('source-unavailable', message, { url: publicUrl(url), retryAfterSeconds })
}

/** The origin was too slow. */
export function tooSlow(message: string, url: string, cause?: unknown): VirtualZarrError {
  return new VirtualZarrError('source-timeout', message, { url: publicUrl(url) }, cause)
}

/** Whether the same request may succeed when it is made again. */
export function isTransient(error: unknown): error is VirtualZarrError {
  if (!(error instanceof VirtualZarrError)) return false
  if (error.code !== 'source-unavailable' && error.code !== 'source-timeout') return false
  return !(error.cause instanceof Lasting)
}
