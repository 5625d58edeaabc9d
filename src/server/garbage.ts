import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options?: { readonly type: 'minor' }) => void

let known: Collect | undefined

/** Node has it only where it is asked for. */
function collect(): Collect {
  if (known === undefined) {
    setFlagsFromString('--expose-gc')
    known = runInNewContext('gc') as Collect
  }
  return known
}

/** Looks through the whole heap: hundreds of milliseconds where it is large. */
export function collectGarbage(): void {
  collect()()
}

/** Looks through what was made lately: about a millisecond. */
export function collectYoungGarbage(): void {
  collect()({ type: 'minor' })
}
