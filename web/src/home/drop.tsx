import { Snippet } from '../parts/snippet.tsx'
import type { Drops, Refused } from './use-drop.ts'

/** Where a file is chosen; that it may be dropped is said here. */
export function FileField({ drops }: { readonly drops: Drops }) {
  return (
    <p class="hint">
      Or drop a file of this computer on the page, or{' '}
      <label class="choose">
        choose one
        <input
          type="file"
          class="hidden"
          onChange={({ currentTarget: { files } }) => {
            const file = files?.[0]
            if (file !== undefined) drops.open(file)
          }}
        />
      </label>
      : it is read here, and sent nowhere.
    </p>
  )
}

/** How a file or folder of this computer is opened where the page can't read it itself. */
export function ServeCommand({ name }: { readonly name: string }) {
  return <Snippet name="shell" code={`npx virtual-zarr open ${quoted(name)}`} />
}

const REASONS: Readonly<Record<Refused['reason'], string>> = {
  folder:
    'is a folder, of which a page sees no file. The command line opens it, whether it is one Zarr store or holds many files:',
  'no-library':
    'stays on this computer: this service was built without the part that reads files in a page. The command line opens it:',
}

/** Said of what can't be opened here. */
export function RefusedDrop({ refused, onClose }: { readonly refused: Refused; readonly onClose: () => void }) {
  return (
    <section class="notice" aria-live="polite">
      <p>
        <strong>{refused.name}</strong> {REASONS[refused.reason]}
      </p>
      <ServeCommand name={refused.name} />
      <button type="button" onClick={onClose}>
        Close
      </button>
    </section>
  )
}

/** As a shell takes it for one word. */
function quoted(name: string): string {
  return /^[\w.+-]+$/.test(name) ? `./${name}` : `'./${name.replaceAll("'", "'\\''")}'`
}
