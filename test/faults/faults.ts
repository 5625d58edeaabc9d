import type { Fault } from '../helpers/origin.ts'

/** What may go wrong with an answer, and what a client is to see of it when it stays. */
export interface FaultCase {
  readonly name: string
  readonly fault: Fault
  /** When it stays: statuses of a chunk request and of a metadata request. */
  readonly chunk: readonly number[]
  readonly metadata: readonly number[]
  /** The right bytes may come through all the same. */
  readonly isHarmless?: true
  /** It ends a body that has begun: bytes that left can't be taken back. */
  readonly cutsBody?: true
}

const status = (code: number, headers = {}): Fault => ({ kind: 'status', status: code, headers })
const both = (name: string, fault: Fault, expected: number, more: Partial<FaultCase> = {}): FaultCase => ({
  name,
  fault,
  chunk: [expected],
  metadata: [expected],
  ...more,
})

export const FAULTS: readonly FaultCase[] = [
  ...[500, 502].map((code) => both(`status ${code}`, status(code), 502)),
  both('status 504', status(504), 502),
  ...[503, 429].map((code) => both(`status ${code}`, status(code, { 'retry-after': '0' }), 503)),
  both('status 204', status(204), 502),
  ...[401, 403].map((code) => both(`status ${code}`, status(code), 502, { chunk: [424] })),
  // A chunk of a Zarr folder that its host does not have was never written.
  ...[404, 410].map((code) => both(`status ${code}`, status(code), 404, { chunk: [424, 404] })),
  both('a reset before the head', { kind: 'reset' }, 502),
  both('a reset in the body', { kind: 'cut', after: 40, how: 'reset' }, 502, { cutsBody: true }),
  both('a body that ends early', { kind: 'cut', after: 40, how: 'close' }, 502, { cutsBody: true }),
  both('a large body that ends early', { kind: 'cut', after: 70_000, how: 'close' }, 502, {
    cutsBody: true,
    isHarmless: true,
  }),
  both('silence before the head', { kind: 'stall' }, 504),
  both('silence behind the head', { kind: 'stall', after: 0 }, 504),
  both('silence in the body', { kind: 'stall', after: 40 }, 504, { cutsBody: true }),
  both('silence in a large body', { kind: 'stall', after: 70_000 }, 504, { cutsBody: true, isHarmless: true }),
  both('one byte at a time', { kind: 'drip', everyMs: 60 }, 504, { cutsBody: true }),
  both('a shifted Content-Range', { kind: 'shifted' }, 502),
  both('no Content-Range', { kind: 'content-range', value: undefined }, 502, { isHarmless: true }),
  both('the whole instead of a range', { kind: 'whole' }, 502, { isHarmless: true }),
  both('status 200 with the right range', { kind: 'status-200' }, 502, { isHarmless: true }),
  both('several parts', { kind: 'multipart' }, 502),
  both('a gzip coding', { kind: 'gzip' }, 502),
  both('an HTML page', { kind: 'html' }, 502),
  both('a body without length', { kind: 'chunked' }, 502, { isHarmless: true }),
  both('a connection closed behind the answer', { kind: 'hang-up' }, 502, { isHarmless: true }),
]

/** Faults that say something lasting: once is enough to be told. */
export function isVerdict({ fault }: FaultCase): boolean {
  return fault.kind === 'status' && [204, 401, 403, 404, 410].includes(fault.status)
}
