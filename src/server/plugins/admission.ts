import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { VirtualZarrError } from '../../errors.ts'

/** Concurrent requests above which a new one is refused instead of queued. */
const MAX_REQUESTS_IN_FLIGHT = 4096

/** Whether the service takes new requests, and how many are under way. */
export class AdmissionControl {
  inFlight = 0
  isDraining = false

  /** From now on new requests are refused, so that those under way can end. */
  drain(): void {
    this.isDraining = true
  }
}

/** Answers 503 while the service drains and when too many requests are under way, and 400 to malformed request heads. */
export function admitRequests(http: FastifyInstance): AdmissionControl {
  const admission = new AdmissionControl()
  http.addHook('onRequest', (request, reply, done) => {
    admission.inFlight++
    reply.raw.on('close', () => {
      admission.inFlight--
    })
    done(refusalOf(request, reply, admission))
  })
  return admission
}

function refusalOf(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { inFlight, isDraining }: AdmissionControl,
): Error | undefined {
  const { url = '' } = raw
  if (!url.startsWith('/')) return new VirtualZarrError('invalid-request', 'the request target is not a path')
  // RFC 9112, section 3.2.
  if (raw.headers.host === undefined && raw.httpVersion !== '1.0')
    return new VirtualZarrError('invalid-request', 'the request has no Host')
  if (url.startsWith('/health/')) return undefined
  if (isDraining) {
    reply.header('connection', 'close')
    return new VirtualZarrError('overloaded', 'the server is shutting down')
  }
  if (inFlight <= MAX_REQUESTS_IN_FLIGHT) return undefined
  return new VirtualZarrError('overloaded', `more than ${MAX_REQUESTS_IN_FLIGHT} requests are under way`)
}
