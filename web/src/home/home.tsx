import { useCallback, useState } from 'preact/hooks'
import { ProblemNote } from '../parts/problem-note.tsx'
import { datasets } from '../service/api.ts'
import { canReadFiles, keepDropped } from '../service/dropped.ts'
import { useLoaded } from '../state/use-loaded.ts'
import type { ChangeView } from '../state/use-view.ts'
import { START } from '../state/view.ts'
import { Card, CardsPending } from './card.tsx'
import { DroppedFile, FileField, useDrop } from './drop.tsx'
import { OpenForm } from './open-form.tsx'

/** The first view: a field for any source, and the catalog. */
export function Home({ change }: { readonly change: ChangeView }) {
  // The name of a file that this page can't read.
  const [file, setFile] = useState<string>()
  const open = useCallback(
    async (dropped: File) => {
      if (!(await canReadFiles())) return setFile(dropped.name)
      change({ ...START, address: { source: keepDropped(dropped), options: '' } })
    },
    [change],
  )
  const isOver = useDrop(open)
  return (
    <main class={isOver ? 'home dropping' : 'home'}>
      <h1>Look into a scientific file where it lies</h1>
      <p class="lead">
        NetCDF, HDF5, GeoTIFF, GRIB, FITS, HDF4, Zarr, and many files as one. Nothing is converted or copied; any Zarr
        client reads the same data from here.
      </p>
      <OpenForm change={change} />
      {file === undefined ? (
        <FileField onFile={open} />
      ) : (
        <DroppedFile name={file} onClose={() => setFile(undefined)} />
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
