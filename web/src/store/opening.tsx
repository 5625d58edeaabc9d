import { useEffect, useState } from 'preact/hooks'
import type { Progress } from '../service/types.ts'

interface OpeningProps {
  readonly source: string
  readonly progress: Progress | undefined
  readonly onCancel: () => void
}

/** While a source is opened: what is known of how far that is, and the way out. */
export function Opening({ source, progress, onCancel }: OpeningProps) {
  const seconds = useSeconds()
  return (
    <main class="page opening" aria-busy="true">
      <h1 class="source-name">{source}</h1>
      <p role="status">
        {progress === undefined
          ? 'Reading its metadata…'
          : `Reading the headers of its files: ${progress.read.toLocaleString()} of ${progress.of.toLocaleString()}`}
      </p>
      <progress {...(progress !== undefined && { value: progress.read, max: progress.of })} aria-label="Opening" />
      <p class="quiet">
        {seconds < 4 ? ' ' : `${seconds} s. Large files on slow hosts take their time; the next visit will be quick.`}
      </p>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </main>
  )
}

function useSeconds(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
