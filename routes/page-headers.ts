/**
 * Headers of our pages. Nothing may run or load but our own files: a page shows text that came out of someone's file.
 * Codecs of Zarr are WebAssembly, whose compilation has a word of its own; pictures that the page exports are blobs.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self' data: blob:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const
