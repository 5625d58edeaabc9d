import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { lazily } from '../lazily.ts'

/** Node has it only where it is asked for. */
const collect = lazily(() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})

/** Looks through the whole heap: hundreds of milliseconds where it is large. */
export function collectGarbage(): void {
  collect()()
}

/**
 * Without these V8 looks through the whole heap ten times a second for a gigabyte a second of chunks, which is half of what a
 * chunk of 1 MiB costs (docs/performance.md).
 */
const DIE_YOUNG = [
  // What V8 has often seen outlive a collection it makes old from then on, and with it lives all that it leads to: the buffers of answers.
  '--no-allocation-site-pretenuring',
  // Buffers are judged together with the rest of the heap, instead of by 64 MB of them that came and went.
  '--external-memory-accounted-in-global-limit',
  // The whole is looked through once it has grown by so much. V8's own 10 to 300 % begin where young buffers have not been looked for yet.
  '--heap-growing-percent=300',
]

/** Has what a request leaves behind collected while it is young; only by a V8 that is known to have these options (Node 24 to 26). */
export function letGarbageDieYoung(v8Version: string): void {
  if (/^1[34]\./.test(v8Version)) DIE_YOUNG.forEach(setFlagsFromString)
}
