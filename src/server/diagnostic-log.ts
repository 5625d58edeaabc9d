import type { FastifyBaseLogger } from 'fastify'
import { TRUNCATED_SOURCE } from '../model/truncated-source.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import { shownPath } from './logging.ts'

/** Logs that a source is truncated. Of a source only its shortened store URL is logged, as with requests. */
export class DiagnosticLog {
  #log: Pick<FastifyBaseLogger, 'warn'> | undefined

  readonly tell = (url: string, { code, message }: Diagnostic): void => {
    if (code !== TRUNCATED_SOURCE) return
    const store = shownPath(`/zarr/~${Buffer.from(url).toString('base64url')}`)
    this.#log?.warn({ store, diagnostic: { code, message } }, 'a source is truncated')
  }

  into(log: Pick<FastifyBaseLogger, 'warn'>): void {
    this.#log = log
  }
}
