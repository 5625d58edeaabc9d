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
  const timer = setInterval(() => {
    const known = progress()
    if (known === undefined) return
    isShown = true
    output.write(`\r\x1b[K${barText(known.read, known.of, what)}`)
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
