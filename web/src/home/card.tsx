import type { Dataset } from '../service/types.ts'
import { type ChangeView, linkTo } from '../state/use-view.ts'
import { FORMAT_NAMES } from '../store/format-names.ts'
import { Thumbnail } from './thumbnail.tsx'

/** One dataset of the catalog. Of the same shape as the service's own (routes/explorer.ts). */
export function Card({ dataset, change }: { readonly dataset: Dataset; readonly change: ChangeView }) {
  const { id, title, description, format } = dataset
  return (
    <li class="card">
      <a {...linkTo({ address: { source: id, options: '' } }, change)}>
        <Thumbnail store={id} />
        <span class="card-text">
          <span class="card-head">
            <strong>{title}</strong>
            <span class="tag">{format === null ? 'not open' : (FORMAT_NAMES[format] ?? format)}</span>
          </span>
          <span class="card-about">{description}</span>
        </span>
      </a>
    </li>
  )
}

/** The room that cards take, while they are listed. */
export function CardsPending() {
  return (
    <ul class="cards" aria-busy="true" aria-label="The catalog is read">
      {Array.from({ length: 8 }, (_, at) => (
        <li class="card pending" key={at}>
          <span class="thumb" />
          <span class="card-text" />
        </li>
      ))}
    </ul>
  )
}
