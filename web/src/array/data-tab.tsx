import type { ComponentType } from 'preact'
import { ProblemNote } from '../parts/problem-note.tsx'
import type { PlotProps } from '../plot/plot.tsx'
import type { ArrayInfo } from '../service/types.ts'
import { useLoaded } from '../state/use-loaded.ts'
import type { NodePageProps } from '../store/node-page.tsx'

/** The values, drawn. What draws them is loaded now, and not before. */
export function DataTab(props: NodePageProps & { readonly array: ArrayInfo }) {
  const plot = useLoaded<ComponentType<PlotProps>>(async () => (await import('../plot/plot.tsx')).Plot, [])
  if (plot.kind === 'failed') return <ProblemNote problem={plot.problem} />
  if (plot.kind === 'loading') return <div class="plot" aria-busy="true" />
  return <plot.value {...props} />
}
