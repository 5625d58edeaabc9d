import { ServeCommand } from '../home/drop.tsx'
import { Snippet } from '../parts/snippet.tsx'
import { storeUrl } from '../service/api.ts'
import { droppedName } from '../service/dropped.ts'
import type { Inspection } from '../service/types.ts'
import { mapSnippets } from './map-snippets.ts'
import { snippetsOf } from './snippets.ts'

interface CodeTabProps {
  readonly segment: string
  readonly inspection: Inspection
  readonly path: string
}

/** The store's address, and how each client reads the node. */
export function CodeTab({ segment, inspection, path }: CodeTabProps) {
  const name = droppedName(segment)
  if (name !== undefined) return <CodeOfDropped name={name} />
  const url = storeUrl(segment)
  const all = [...snippetsOf({ url, path, array: inspection.arrays[path] }), ...mapSnippets(url, inspection, path)]
  return (
    <>
      <p>
        The store, for any client that reads Zarr v3: <a href={`${url}/`}>{url}</a>
      </p>
      <p class="quiet">
        Pinned to the present version of the file: <code>{`${url};version=${inspection.version}`}</code>
      </p>
      <div class="snippets">
        {all.map(({ client, code }) => (
          <Snippet key={client} name={client} code={code} />
        ))}
      </div>
    </>
  )
}

function CodeOfDropped({ name }: { readonly name: string }) {
  return (
    <>
      <p>This page reads the file itself. The command line serves it to any client that reads Zarr v3:</p>
      <ServeCommand name={name} />
    </>
  )
}
