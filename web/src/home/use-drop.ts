import { useCallback, useEffect, useState } from 'preact/hooks'
import { canReadFiles, keepDropped } from '../service/dropped.ts'
import type { ChangeView } from '../state/use-view.ts'
import { START, type View } from '../state/view.ts'

/** Why something that was dropped is not opened here. */
export interface Refused {
  readonly name: string
  readonly reason: 'folder' | 'no-library'
}

export interface Drops {
  /** Counts the files that were taken. */
  readonly turn: number
  readonly refused: Refused | undefined
  open(file: File): void
  /** Forgets what was refused. */
  close(): void
}

/** Opens files that are dropped anywhere on the page, or chosen. */
export function useDrop({ address }: View, change: ChangeView): Drops {
  const [turn, setTurn] = useState(0)
  const [refused, setRefused] = useState<Refused>()
  const open = useCallback(
    async (file: File) => {
      if (!(await canReadFiles())) return setRefused({ name: file.name, reason: 'no-library' })
      setRefused(undefined)
      const source = keepDropped(file)
      // The file that a page forgot when it was loaded again: what is shown of it stays.
      if (source !== address?.source) change({ ...START, address: { source, options: '' } })
      setTurn((before) => before + 1)
    },
    [change, address?.source],
  )
  useEffect(() => {
    const stop = new AbortController()
    const setOver = (isOver: boolean) => document.body.classList.toggle('dropping', isOver)
    const listen = (name: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(name, act, { signal: stop.signal })
    listen('dragover', (event) => {
      event.preventDefault()
      setOver(true)
    })
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) setOver(false)
    })
    listen('drop', (event) => {
      event.preventDefault()
      setOver(false)
      const folder = folderOf(event.dataTransfer)
      if (folder !== undefined) return setRefused({ name: folder, reason: 'folder' })
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) void open(file)
    })
    return () => stop.abort()
  }, [open])
  return { turn, refused, open: (file) => void open(file), close: () => setRefused(undefined) }
}

/** The name of a folder that was dropped: as a file it has no bytes. */
function folderOf(data: DataTransfer | null): string | undefined {
  const entry = data?.items[0]?.webkitGetAsEntry()
  return entry?.isDirectory === true ? entry.name : undefined
}
