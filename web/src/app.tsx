import { Home } from './home/home.tsx'
import { OpenForm } from './home/open-form.tsx'
import { segmentOf } from './state/address.ts'
import { linkTo, useView } from './state/use-view.ts'
import { START } from './state/view.ts'
import { StorePage } from './store/store-page.tsx'

/** The page: the catalog, or one opened store. */
export function App() {
  const [view, change] = useView()
  const { address } = view
  if (address === undefined) {
    return (
      <>
        <header class="bar">
          <a class="brand" {...linkTo(START, change)}>
            virtual-zarr
          </a>
        </header>
        <Home change={change} />
        <Foot />
      </>
    )
  }
  return (
    <>
      <header class="bar">
        <a class="brand" {...linkTo(START, change)} title="The catalog">
          virtual-zarr
        </a>
        <OpenForm key={segmentOf(address)} change={change} opened={address.source} />
      </header>
      <StorePage key={segmentOf(address)} address={address} view={view} change={change} />
      <Foot />
    </>
  )
}

function Foot() {
  return (
    <footer class="foot">
      <a href="datasets">Catalog as JSON</a>
      <a href="docs">API</a>
      <a href="metrics">Metrics</a>
      <a href="health/ready">Health</a>
    </footer>
  )
}
