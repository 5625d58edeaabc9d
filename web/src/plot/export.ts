/** Gives a file to the person. */
function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const plainName = (name: string) => name.replace(/[^\w.-]+/g, '-') || 'values'

/** The picture as it is on the screen. */
export function saveCanvas(canvas: HTMLCanvasElement | null, name: string): void {
  canvas?.toBlob((blob) => blob !== null && save(blob, `${plainName(name)}.png`))
}

/** Rows as CSV (RFC 4180); missing values are empty. */
function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value)
    // A text that a spreadsheet would take for a formula is kept from being one.
    const text = /^[=+\-@\t\r]/.test(value) && !Number.isFinite(Number(value)) ? `'${value}` : value
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

export function saveCsv(name: string, rows: readonly (readonly (string | number)[])[]): void {
  save(new Blob([csvOf(rows)], { type: 'text/csv' }), `${plainName(name)}.csv`)
}
