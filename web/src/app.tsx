import { useEffect, useState } from 'preact/hooks'
import { RefusedDrop } from './home/drop.tsx'
import { Home } from './home/home.tsx'
import { OpenForm } from './home/open-form.tsx'
import { useDrop } from './home/use-drop.ts'
import { apiKey, keepKey, onKey } from './service/ask.ts'
import { segmentOf } from './state/address.ts'
import { linkTo, useView } from './state/use-view.ts'
import { START } from './state/view.ts'
import { StorePage } from './store/store-page.tsx'

/** The page: the catalog, or one opened store. */
export function App() {
  const [view, change] = useView()
  const turn = useKeyTurn()
  const drops = useDrop(view, change)
  const { address } = view
  if (address === undefined) {
    return (
      <>
        <header class="bar">
          <a class="brand" {...linkTo(START, change)}>
            virtual-zarr
          </a>
        </header>
        <Home key={turn} change={change} drops={drops} />
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
      {drops.refused !== undefined && <RefusedDrop refused={drops.refused} onClose={drops.close} />}
      <StorePage key={`${segmentOf(address)} ${turn} ${drops.turn}`} address={address} view={view} change={change} />
      <Foot />
    </>
  )
}

/** Counts the keys that were given: what was refused without one, or by another, is asked anew. */
function useKeyTurn(): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => onKey(() => setTurn((before) => before + 1)), [])
  return turn
}

function Foot() {
  // Links send no key.
  if (apiKey() !== undefined) {
    return (
      <footer class="foot">
        This tab has an API key.
        <button type="button" class="plain" onClick={() => keepKey(undefined)}>
          Forget it
        </button>
      </footer>
    )
  }
  return (
    <footer class="foot">
      <a href="datasets">Catalog as JSON</a>
      <a href="docs">API</a>
      <a href="metrics">Metrics</a>
      <a href="health/ready">Health</a>
    </footer>
  )
}
