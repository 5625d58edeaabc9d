import { ArrayPage } from '../array/array-page.tsx'
import type { Inspection } from '../service/types.ts'
import type { ChangeView } from '../state/use-view.ts'
import type { View } from '../state/view.ts'
import { GroupPage } from './group-page.tsx'

export interface NodePageProps {
  readonly path: string
  readonly segment: string
  readonly inspection: Inspection
  readonly view: View
  readonly change: ChangeView
}

/** What is known of one node of the tree. */
export function NodePage(props: NodePageProps) {
  const { path, inspection } = props
  const array = inspection.arrays[path]
  if (array !== undefined) return <ArrayPage {...props} array={array} />
  const skipped = inspection.skipped[path]
  if (skipped !== undefined) {
    return (
      <section class="notice problem">
        <h1>{path}</h1>
        <p>This array is in the file, and can’t be served.</p>
        <p class="detail">{skipped.reason}</p>
      </section>
    )
  }
  if (path !== '' && !Object.keys(inspection.groups).some((group) => group === path || group.startsWith(`${path}/`)))
    return <p class="empty">There is no node called {path} here.</p>
  return <GroupPage {...props} />
}
