import type { FastifyBaseLogger } from 'fastify'
import { TRUNCATED_SOURCE } from '../model/truncated-source.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import { REFERENCE_OUTDATED } from '../service/opened-source.ts'
import { shownPath } from './logging.ts'

/** What is logged, and in which words. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  [TRUNCATED_SOURCE, 'a source is truncated'],
  [REFERENCE_OUTDATED, 'a data file is newer than the document that points into it'],
])

/** Logs that a source is truncated, or that its references are outdated. Of a source only its shortened store URL is logged, as with requests. */
export class DiagnosticLog {
  #log: Pick<FastifyBaseLogger, 'warn'> | undefined

  readonly tell = (url: string, { code, message }: Diagnostic): void => {
    const words = MESSAGES.get(code)
    if (words === undefined) return
    const store = shownPath(`/zarr/~${Buffer.from(url).toString('base64url')}`)
    this.#log?.warn({ store, diagnostic: { code, message } }, words)
  }

  into(log: Pick<FastifyBaseLogger, 'warn'>): void {
    this.#log = log
  }
}
