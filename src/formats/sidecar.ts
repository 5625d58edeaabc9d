// Small documents that may lie beside a file. That there is none is usual, and a damaged one costs a diagnostic, not the file.
import { isVirtualZarrError, overLimit } from '../errors.ts'
import type { Source } from '../source/source.ts'
import type { ParseContext } from './format.ts'

/** What a sidecar must look like, and what becomes of it. */
export interface SidecarKind<T> {
  /** For people. */
  readonly name: string
  readonly mostBytes: number
  /** What the first request asks for, where that is more than of other documents. */
  readonly headBytes?: number
  accepts(head: Uint8Array): boolean
  parse(text: string): T
}

/** An origin says one of these for what it has not got; a guard for what may not be read. */
const NONE: readonly string[] = ['source-not-found', 'source-denied', 'source-forbidden']
/** What is wrong with the sidecar itself, or its origin; all else ends the parse. */
const DAMAGED: readonly string[] = [
  'unknown-format',
  'limit-exceeded',
  'malformed-source',
  'unsupported-feature',
  'source-unavailable',
  'source-timeout',
]

/** Undefined where there is none that can be read. */
export async function readSidecar<T>(kind: SidecarKind<T>, url: string, context: ParseContext): Promise<T | undefined> {
  const text = await openSidecar(kind, url, context, async (source) => {
    if (source.size > kind.mostBytes) throw overLimit(`it has ${source.size} bytes`)
    return Buffer.from(await source.read({ offset: 0, length: source.size }, context)).toString('utf8')
  })
  if (text === undefined) return undefined
  try {
    return kind.parse(text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return damaged(kind, url, error.message.split('\n', 1)[0] ?? '', context)
  }
}

/** Opens a sidecar for some work; undefined where there is none, or none that can be read. */
export async function openSidecar<T>(
  kind: Pick<SidecarKind<unknown>, 'name' | 'headBytes' | 'accepts'>,
  url: string,
  context: ParseContext,
  work: (source: Source) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work(await context.open(url, { accepts: (head) => kind.accepts(head), headBytes: kind.headBytes }))
  } catch (error) {
    if (context.signal?.aborted === true || !isVirtualZarrError(error)) throw error
    if (NONE.includes(error.code)) return undefined
    if (!DAMAGED.includes(error.code)) throw error
    return damaged(kind, url, error.message, context)
  }
}

function damaged(kind: Pick<SidecarKind<unknown>, 'name'>, url: string, why: string, context: ParseContext): undefined {
  const name = url.slice(url.lastIndexOf('/') + 1).slice(-100)
  const message = `${JSON.stringify(name)} is not read as a ${kind.name}: ${why.slice(0, 200)}`
  context.warn({ code: 'sidecar-not-read', message })
}
