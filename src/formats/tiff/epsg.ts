import { brotliDecompressSync } from 'node:zlib'
import { EPSG_PARTS } from './epsg-table.ts'

/** The WKT of a system of the EPSG dataset; undefined for codes that it doesn't have. */
export function epsgWkt(code: number): string | undefined {
  const [, content] = EPSG_PARTS.findLast(([first]) => first <= code) ?? []
  if (content === undefined) return undefined
  const text = `\n${brotliDecompressSync(Buffer.from(content, 'base64')).toString()}\n`
  const start = text.indexOf(`\n${code} `)
  if (start < 0) return undefined
  const wkt = start + 2 + String(code).length
  return text.slice(wkt, text.indexOf('\n', wkt))
}
