import type { FastifyInstance } from 'fastify'
import type { VerifyAsked } from '../../routes/context.ts'
import { VirtualZarrError } from '../errors.ts'
import type { OptionTexts } from '../service/store-options.ts'
import type { StoreService } from '../service/store-service.ts'

/** A verification for a stranger may take so long, and its source may be so large. */
const MOST_MILLISECONDS = 60_000
const MOST_BYTES = 64 * 2 ** 20

/** Verifies for requests, one at a time. What it needs is loaded with the first. */
export function verifyRequests(
  http: FastifyInstance,
  stores: StoreService,
  defaults: OptionTexts,
): (asked: VerifyAsked) => Promise<object> {
  const running = new Set<object>()
  return async (asked) => {
    if (running.size > 0)
      throw new VirtualZarrError('overloaded', 'another source is being verified', { retryAfterSeconds: 10 })
    running.add(asked)
    const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(MOST_MILLISECONDS)])
    try {
      const { guardedFile, verifyStore } = await import('./verification.ts')
      const { sampleOf } = await import('./verify-sample.ts')
      return await verifyStore(
        http,
        { stores },
        {
          url: asked.url,
          options: new Map([...defaults, ...asked.options]),
          sample: sampleOf(asked.sample),
          signal,
          sources: {
            file: (_url, source) => guardedFile(source, MOST_BYTES, signal),
            place: () => 'the reader fetches what it reads by itself, past the guard: the command verify does that',
          },
        },
      )
    } catch (error) {
      if (!signal.aborted || asked.signal.aborted) throw error
      const message = `the verification took more than ${MOST_MILLISECONDS / 1000} seconds; the command verify has no such bound`
      throw new VirtualZarrError('limit-exceeded', message, {}, error)
    } finally {
      running.delete(asked)
    }
  }
}
