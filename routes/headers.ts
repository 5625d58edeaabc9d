/** Headers of every answer: any origin may read, and may see what range requests need. */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Range, Content-Length, ETag, Accept-Ranges, Link, Retry-After',
  'x-content-type-options': 'nosniff',
} as const

/**
 * Headers of our pages. Nothing may run or load but our own files: a page shows text that came out of someone's file.
 * Pictures that the page draws and exports are data and blobs; decoders in these files are WebAssembly (decision 24), which can do nothing
 * but compute, and no text becomes script.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self' data: blob:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

/** The page with maps may load pictures from the host of their tiles, where there are such, and from no other. */
export function withPicturesFrom(tiles: string | undefined): Record<keyof typeof PAGE_HEADERS, string> {
  if (tiles === undefined) return PAGE_HEADERS
  const { origin } = new URL(tiles.split(' ', 1)[0] ?? '')
  const policy = PAGE_HEADERS['content-security-policy'].replace("img-src 'self'", `img-src 'self' ${origin}`)
  return { ...PAGE_HEADERS, 'content-security-policy': policy }
}

/** Longer ones meet clients and proxies that refuse the whole answer. */
const MOST_REASON = 300

/**
 * The reason phrase of an error: all that the users of fsspec see of it. The title and the first line of the detail, in
 * characters that no client can take for the end of a line.
 */
export function reasonPhrase(title: string, detail: unknown): string {
  const line = typeof detail === 'string' ? /^[^\r\n]*/.exec(detail)?.[0].trim() : ''
  const text = line === undefined || line === '' ? title : `${title}: ${line}`
  const plain = text.replace(/[^\x20-\x7e]/gu, '?')
  return plain.length > MOST_REASON ? `${plain.slice(0, MOST_REASON - 3)}...` : plain
}
