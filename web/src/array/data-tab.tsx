import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { ProblemNote } from '../parts/problem-note.tsx'
import type { PlotProps } from '../plot/plot.tsx'
import type { ArrayInfo } from '../service/types.ts'
import { useLoaded } from '../state/use-loaded.ts'
import type { NodePageProps } from '../store/node-page.tsx'

interface DataTabProps extends NodePageProps {
  readonly array: ArrayInfo
  /** The room that the values take is known from now on. */
  readonly onShown: () => void
}

/** The values, drawn. What draws them is loaded now, and not before. */
export function DataTab({ onShown, ...props }: DataTabProps) {
  const plot = useLoaded<ComponentType<PlotProps>>(async () => (await import('../plot/plot.tsx')).Plot, [])
  useEffect(() => {
    if (plot.kind !== 'loading') onShown()
  }, [plot.kind, onShown])
  if (plot.kind === 'failed') return <ProblemNote problem={plot.problem} />
  if (plot.kind === 'loading') return <div class="plot" aria-busy="true" />
  return <plot.value {...props} />
}
