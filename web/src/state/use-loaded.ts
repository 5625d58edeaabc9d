import { useEffect, useState } from 'preact/hooks'
import { asProblem, type Problem } from '../service/problem.ts'

/** Something that is read: under way, there, or failed. */
export type Loaded<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: Value }
  | { readonly kind: 'failed'; readonly problem: Problem }

const LOADING = { kind: 'loading' } as const

/** Reads when what it depends on changes; what was under way before is aborted. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  dependencies: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<Loaded<Value>>(LOADING)
  // The caller names what `load` depends on
  useEffect(() => {
    const leaving = new AbortController()
    setState(LOADING)
    load(leaving.signal).then(
      (value) => !leaving.signal.aborted && setState({ kind: 'ready', value }),
      (error: unknown) => !leaving.signal.aborted && setState({ kind: 'failed', problem: asProblem(error) }),
    )
    return () => leaving.abort()
  }, dependencies)
  return state
}
