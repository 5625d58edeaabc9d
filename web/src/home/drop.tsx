import { useEffect, useState } from 'preact/hooks'
import { Snippet } from '../parts/snippet.tsx'

/** Watches for files that are dropped anywhere on the page; whether one is over it now. */
export function useDrop(take: (name: string) => void): boolean {
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
      if (file !== undefined) take(file.name)
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

/** How a file of this computer is opened: a page may not read the disk, the service may. */
export function DroppedFile({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <section class="notice" aria-live="polite">
      <p>
        <strong>{name}</strong> stays on this computer: a page can’t read the disk, but the service can. Start it on the
        file, and it is in the catalog of that page:
      </p>
      <Snippet name="shell" code={`npx virtual-zarr serve ${quoted(name)}`} />
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
