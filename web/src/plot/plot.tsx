import { useMemo } from 'preact/hooks'
import type { ArrayInfo } from '../service/types.ts'
import type { NodePageProps } from '../store/node-page.tsx'
import { Heatmap } from './heatmap.tsx'
import { LinePlot } from './line-plot.tsx'
import { TextList } from './text-list.tsx'
import { openZarrStore } from './zarr-store.ts'

export type PlotProps = NodePageProps & { readonly array: ArrayInfo }

/** The values of an array in the form that fits them: a picture, a line, a list, one value. */
export function Plot(props: PlotProps) {
  const { array, segment } = props
  const store = useMemo(() => openZarrStore(segment), [segment])
  if (array.shape.some((length) => length === 0))
    return <p class="empty">This array has no values: one of its dimensions has the length 0.</p>
  if (typeof array.data_type !== 'string' || array.data_type.startsWith('complex') || array.data_type.startsWith('r'))
    return <p class="empty">Values of this type can’t be drawn here. The tab “Code” shows how to read them.</p>
  const long = array.shape.filter((length) => length > 1).length
  if (array.data_type === 'string' || long === 0) return <TextList {...props} store={store} />
  if (array.shape.length === 1 || long === 1) return <LinePlot {...props} store={store} />
  return <Heatmap {...props} store={store} />
}
