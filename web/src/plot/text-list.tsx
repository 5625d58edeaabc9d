import { chunkCoordinates } from '../array/chunk-cells.ts'
import { ProblemNote } from '../parts/problem-note.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { datesOf } from './dates.ts'
import { meaningOf, numberText } from './meaning.ts'
import type { PlotProps } from './plot.tsx'
import { readPoint } from './single-values.ts'
import type { ZarrStore } from './zarr-store.ts'

const MOST_SHOWN = 200

/** Texts, one below the other; of a scalar its one value. */
export function TextList({ array, path, store }: PlotProps & { readonly store: ZarrStore }) {
  const values = useLoaded(
    async (signal) => {
      const total = array.shape.reduce((product, length) => product * length, 1)
      const count = Math.min(total, MOST_SHOWN)
      const indexes = Array.from({ length: count }, (_, at) => chunkCoordinates(array.shape, at))
      const found: (number | bigint | string | undefined)[] = []
      for (const index of indexes) found.push(await readPoint(store, path, array, index, signal))
      return { total, rows: indexes.map((index, at) => ({ index, text: textOf(found[at]) })) }
    },
    [store, path],
  )
  const meaning = meaningOf(array)
  const dates = datesOf(array.attributes)
  function textOf(value: number | bigint | string | undefined): string {
    if (value === undefined || typeof value === 'string') return value ?? ''
    if (array.data_type === 'bool') return value === 0 ? 'false' : 'true'
    return dates === undefined ? numberText(meaning.of(value)) : dates(value)
  }
  if (values.kind === 'failed') return <ProblemNote problem={values.problem} />
  if (values.kind === 'loading') return <div class="texts" aria-busy="true" />
  const { total, rows } = values.value
  if (array.shape.length === 0)
    return <p class="scalar">{rows[0]?.text === '' ? '(empty text)' : `${rows[0]?.text} ${meaning.units}`}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div class="texts" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{array.dimension_names.join(', ')}</th>
              <th scope="col">value</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ index, text }) => (
              <tr key={index.join()}>
                <th scope="row">{index.join(', ')}</th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > rows.length && (
        <p class="quiet">
          The first {rows.length.toLocaleString()} of {total.toLocaleString()}.
        </p>
      )}
    </>
  )
}
