import type { Reply } from '../faults/ask.ts'
import { type Expected, hashOf } from './copies.ts'

/** How something is asked for. */
export interface Asked {
  readonly name: 'GET' | 'HEAD' | 'range' | 'abandoned'
  readonly range?: readonly [first: number, end: number]
  init(): RequestInit
}

/** What no answer may take: longer than a source that stalls in each attempt. */
const MOST_MILLISECONDS = 60_000

/** A request as clients make them: whole, heads, parts, and some that nobody waits for. */
export function variant({ kind, status, length, body }: Expected, random: () => number): Asked {
  const most = () => AbortSignal.timeout(MOST_MILLISECONDS)
  const kindOf = random()
  if (kindOf < 0.05) {
    const milliseconds = Math.floor(random() * 50)
    return { name: 'abandoned', init: () => ({ signal: AbortSignal.timeout(milliseconds) }) }
  }
  if (kind === 'chunk' && status === 200 && kindOf < 0.15) {
    return { name: 'HEAD', init: () => ({ method: 'HEAD', signal: most() }) }
  }
  if (kind === 'chunk' && body !== undefined && length > 1 && kindOf < 0.3) {
    const first = Math.floor(random() * length)
    const end = Math.min(length, first + 1 + Math.floor(random() * length))
    const headers = { range: `bytes=${first}-${end - 1}` }
    return { name: 'range', range: [first, end], init: () => ({ headers, signal: most() }) }
  }
  return { name: 'GET', init: () => ({ signal: most() }) }
}

/** Failures that tell of their source, and are no bytes: of a chunk, and of what may say that there is no source. */
const REFUSALS = [409, 422, 424, 502, 503, 504]
const NO_SOURCE = [404, 415]

export interface Judgement {
  readonly outcome: string
  /** What a server must not answer. */
  readonly find?: string
}

export function judged(asked: Asked, expected: Expected, reply: Reply, folder: string): Judgement {
  const { status, milliseconds } = reply
  if (asked.name === 'abandoned') return { outcome: 'abandoned' }
  if (milliseconds >= MOST_MILLISECONDS) return found(`no answer in ${MOST_MILLISECONDS} ms`)
  if (status === 0) return { outcome: 'cut' }
  const right = asked.name === 'range' ? 206 : expected.status
  if (status === right) return judgedBytes(asked, expected, reply, folder)
  const isRefused = REFUSALS.includes(status) || (expected.kind !== 'chunk' && NO_SOURCE.includes(status))
  return isRefused ? { outcome: `refused ${status}` } : found(`status ${status}, expected ${right}`)
}

function judgedBytes(asked: Asked, expected: Expected, { body, announced, status }: Reply, folder: string): Judgement {
  if (status >= 400) return { outcome: 'exact' }
  if (asked.name === 'HEAD') {
    return announced === expected.length ? { outcome: 'exact' } : found(`HEAD tells ${announced} bytes`)
  }
  if (asked.range !== undefined) {
    const [first, end] = asked.range
    const isSame = expected.body?.subarray(first, end).equals(body) === true
    return isSame ? { outcome: 'exact' } : found(`${body.length} wrong bytes of ${first} to ${end}`)
  }
  if (hashOf(expected, body, folder) === expected.hash) return { outcome: 'exact' }
  return found(`${body.length} wrong bytes, ${expected.length} are right`)
}

function found(find: string): Judgement {
  return { outcome: 'wrong', find }
}
