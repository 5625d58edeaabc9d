import { useEffect, useState } from 'preact/hooks'
import { Snippet } from '../parts/snippet.tsx'

/** Watches for files that are dropped anywhere on the page; whether one is over it now. */
export function useDrop(take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) take(file)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [take])
  return isOver
}

/** Where a file is dropped, or chosen. */
export function FileField({ onFile }: { readonly onFile: (file: File) => void }) {
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
            if (file !== undefined) onFile(file)
          }}
        />
      </label>
      : it is read here, and sent nowhere.
    </p>
  )
}

/** How a file of this computer is opened where the page can't read it itself. */
export function ServeCommand({ name }: { readonly name: string }) {
  return <Snippet name="shell" code={`npx virtual-zarr open ${quoted(name)}`} />
}

/** Said where the service has no package for pages. */
export function DroppedFile({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <section class="notice" aria-live="polite">
      <p>
        <strong>{name}</strong> stays on this computer: this service was built without the part that reads files in a
        page. The command line opens it:
      </p>
      <ServeCommand name={name} />
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
