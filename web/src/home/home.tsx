import { ProblemNote } from '../parts/problem-note.tsx'
import { datasets } from '../service/api.ts'
import { useLoaded } from '../state/use-loaded.ts'
import type { ChangeView } from '../state/use-view.ts'
import { Card, CardsPending } from './card.tsx'
import { FileField, RefusedDrop } from './drop.tsx'
import { OpenForm } from './open-form.tsx'
import type { Drops } from './use-drop.ts'

interface HomeProps {
  readonly change: ChangeView
  readonly drops: Drops
}

/** The first view: a field for any source, and the catalog. */
export function Home({ change, drops }: HomeProps) {
  return (
    <main class="home">
      <h1>Look into a scientific file where it lies</h1>
      <p class="lead">
        NetCDF, HDF5, GeoTIFF, GRIB, FITS, HDF4, Zarr, and many files as one. Nothing is converted or copied; any Zarr
        client reads the same data from here.
      </p>
      <OpenForm change={change} />
      {drops.refused === undefined ? (
        <FileField drops={drops} />
      ) : (
        <RefusedDrop refused={drops.refused} onClose={drops.close} />
      )}
      <Catalog change={change} />
    </main>
  )
}

function Catalog({ change }: { readonly change: ChangeView }) {
  const listed = useLoaded(datasets, [])
  return (
    <section aria-labelledby="catalog">
      <h2 id="catalog">Catalog</h2>
      {listed.kind === 'loading' && <CardsPending />}
      {listed.kind === 'failed' && <ProblemNote problem={listed.problem} />}
      {listed.kind === 'ready' && listed.value.length === 0 && (
        <p class="empty">
          The catalog is empty. <code>npx virtual-zarr serve FOLDER</code> lists the files of a folder here.
        </p>
      )}
      {listed.kind === 'ready' && listed.value.length > 0 && (
        <ul class="cards">
          {listed.value.map((dataset) => (
            <Card key={dataset.id} dataset={dataset} change={change} />
          ))}
        </ul>
      )}
    </section>
  )
}
