/** What a bar is drawn on. */
export interface BarOutput {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

const EVERY_MILLISECONDS = 200
const WIDTH = 30

/** Waits for work with a bar on a terminal, and with nothing in a pipe; the bar is gone afterwards. */
export async function withProgressBar<T>(
  work: Promise<T>,
  progress: () => { readonly read: number; readonly of: number } | undefined,
  output: BarOutput,
  what = 'headers',
): Promise<T> {
  if (output.isTTY !== true) return await work
  let isShown = false
  const start = performance.now()
  const timer = setInterval(() => {
    const known = progress()
    const seconds = Math.floor((performance.now() - start) / 1000)
    if (known === undefined && seconds === 0) return
    isShown = true
    output.write(`\r\x1b[K${known === undefined ? `opening, ${seconds} s` : barText(known.read, known.of, what)}`)
  }, EVERY_MILLISECONDS)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (isShown) output.write('\r\x1b[K')
  }
}

export function barText(read: number, of: number, what = 'headers'): string {
  const full = of === 0 ? 0 : Math.floor((WIDTH * read) / of)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${read} of ${of} ${what}`
}
