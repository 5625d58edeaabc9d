import { ServeCommand } from '../home/drop.tsx'
import { Snippet } from '../parts/snippet.tsx'
import { storeUrl } from '../service/api.ts'
import { apiKey } from '../service/ask.ts'
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
  const needsKey = apiKey() !== undefined
  const array = inspection.arrays[path]
  const all = [...snippetsOf({ url, path, array, needsKey }), ...mapSnippets(url, inspection, path, needsKey)]
  return (
    <>
      <p>
        The store, for any client that reads Zarr v3: {needsKey ? <code>{url}</code> : <a href={`${url}/`}>{url}</a>}
      </p>
      {needsKey && (
        <p>
          It needs a key. The snippets take it from the environment variable <code>API_KEY</code>, so that it is not in
          what you pass on.
        </p>
      )}
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
