import { ProblemNote } from '../parts/problem-note.tsx'
import { inspect } from '../service/api.ts'
import type { Inspection } from '../service/types.ts'
import type { Address } from '../state/address.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { type ChangeView, linkTo } from '../state/use-view.ts'
import { Opening } from '../store/opening.tsx'
import { differences } from './differences.ts'

interface ComparePageProps {
  readonly inspection: Inspection
  readonly address: Address
  readonly versus: string
  readonly change: ChangeView
}

/** Most lines of differences that are shown. */
const MOST_SHOWN = 500

/** What two sources, or two versions of one, say differently: side by side. */
export function ComparePage({ inspection, address, versus, change }: ComparePageProps) {
  const other = useLoaded((signal) => inspect(versus, signal), [versus])
  const back = linkTo({ address }, change)
  if (other.kind === 'loading')
    return <Opening source={versus} progress={undefined} onCancel={() => change({ versus: undefined })} />
  if (other.kind === 'failed') {
    return (
      <main class="page">
        <ProblemNote problem={other.problem} />
        <p>
          <a {...back}>Back to {inspection.source}</a>
        </p>
      </main>
    )
  }
  const found = differences(inspection, other.value)
  return (
    <main class="page compare">
      <h1>{found.length === 0 ? 'No differences' : `${found.length.toLocaleString()} differences`}</h1>
      <p>
        <a {...back}>Back to the first</a>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div class="scroller" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">{inspection.source}</th>
              <th scope="col">{other.value.source}</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, MOST_SHOWN).map(({ place, one, other: two }) => (
              <tr key={place}>
                <th scope="row">{place}</th>
                <td>{one ?? <span class="quiet">not there</span>}</td>
                <td>{two ?? <span class="quiet">not there</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </main>
  )
}
