import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ComparePage } from '../compare/compare-page.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { inspect } from '../service/api.ts'
import { asProblem, type Problem } from '../service/problem.ts'
import type { Inspection, Progress } from '../service/types.ts'
import { type Address, segmentOf, withOption } from '../state/address.ts'
import type { ChangeView } from '../state/use-view.ts'
import { START, type View } from '../state/view.ts'
import { NodePage } from './node-page.tsx'
import { mainArray } from './nodes.ts'
import { Opening } from './opening.tsx'
import { Tree } from './tree.tsx'

interface StorePageProps {
  readonly address: Address
  readonly view: View
  readonly change: ChangeView
}

type State =
  | { readonly kind: 'opening'; readonly progress?: Progress }
  | { readonly kind: 'open'; readonly inspection: Inspection }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** An opened store: its tree, and the chosen node. */
export function StorePage({ address, view, change }: StorePageProps) {
  const segment = segmentOf(address)
  const [state, retry] = useInspection(segment)
  useEffect(() => {
    document.title = `${address.source.split('/').findLast((part) => part !== '') ?? ''} · virtual-zarr`
    return () => {
      document.title = 'virtual-zarr'
    }
  }, [address.source])
  if (state.kind === 'opening') {
    return <Opening source={address.source} progress={state.progress} onCancel={() => change(START)} />
  }
  if (state.kind === 'failed') {
    return (
      <main class="page">
        <h1 class="source-name">{address.source}</h1>
        <ProblemNote
          problem={state.problem}
          onRetry={retry}
          onOption={(option) => change({ ...view, address: withOption(address, option) })}
        />
      </main>
    )
  }
  const { inspection } = state
  if (view.versus !== undefined)
    return <ComparePage inspection={inspection} address={address} versus={view.versus} change={change} />
  return <Opened segment={segment} inspection={inspection} view={view} change={change} />
}

interface OpenedProps {
  readonly segment: string
  readonly inspection: Inspection
  readonly view: View
  readonly change: ChangeView
}

function Opened({ segment, inspection, view, change }: OpenedProps) {
  const path = view.path ?? mainArray(inspection) ?? ''
  const contents = useRef<HTMLDetailsElement>(null)
  const choose = useCallback(
    (chosen: string) => {
      if (contents.current !== null && isNarrow()) contents.current.open = false
      change({ ...START, address: view.address, path: chosen, colours: view.colours })
    },
    [change, view.address, view.colours],
  )
  return (
    <div class="store">
      <aside aria-label="Contents">
        <details ref={contents} open={!isNarrow()}>
          <summary>Contents</summary>
          <Tree inspection={inspection} path={path} onChoose={choose} />
        </details>
      </aside>
      <main class="page">
        <NodePage key={path} path={path} segment={segment} inspection={inspection} view={view} change={change} />
      </main>
    </div>
  )
}

const isNarrow = () => matchMedia('(max-width: 800px)').matches

/** Opens the store, and again when asked to. */
function useInspection(segment: string): [State, () => void] {
  const [state, setState] = useState<State>({ kind: 'opening' })
  const [attempt, setAttempt] = useState(0)
  // Another attempt reads again
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    setState({ kind: 'opening' })
    const tell = (progress: Progress) => !signal.aborted && setState({ kind: 'opening', progress })
    inspect(segment, signal, tell).then(
      (inspection) => !signal.aborted && setState({ kind: 'open', inspection }),
      (error: unknown) => !signal.aborted && setState({ kind: 'failed', problem: asProblem(error) }),
    )
    return () => leaving.abort()
  }, [segment, attempt])
  return [state, () => setAttempt((before) => before + 1)]
}
