import { unsupported } from '../errors.ts'
import type { RecodeWorkers } from './delivery.ts'

/** How many threads recode, and what one recoding may take. */
export interface WorkerOptions {
  readonly threads?: number | undefined
  readonly deadlineMs?: number | undefined
}

/** A pool of threads that recode; a thread that crashes or hangs costs its own task only. */
export function recodeWorkers(_options: WorkerOptions = {}): RecodeWorkers {
  throw unsupported('workers', 'not written yet')
}
