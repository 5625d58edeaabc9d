import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { lazily } from '../lazily.ts'

type Collect = (options?: { readonly type: 'minor' }) => void

/** Node has it only where it is asked for. */
const collect = lazily(() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
})

/** Looks through the whole heap: hundreds of milliseconds where it is large. */
export function collectGarbage(): void {
  collect()()
}

/** Looks through what was made lately: about a millisecond. */
export function collectYoungGarbage(): void {
  collect()({ type: 'minor' })
}
