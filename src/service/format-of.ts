import { invalidRequest, VirtualZarrError } from '../errors.ts'
import { type Format, OWN_FORMAT } from '../formats/format.ts'
import { formats as builtFormats, findFormatFurtherOn, recogniseFormat } from '../formats/registry.ts'
import { publicUrl } from '../source/public-url.ts'
import type { Source } from '../source/source.ts'
import { nameOfBytes } from './foreign-bytes.ts'
import { HEAD_BYTES } from './join-formats.ts'

/** The format that recognises a source, or the forced one; `unknown-format` says what the source is instead. */
export async function formatOf(
  source: Source,
  forced: string | undefined,
  signal: AbortSignal,
  formats: readonly Format[] = builtFormats,
): Promise<Format> {
  const named = formats.find((format) => format.name === forced)
  if (named !== undefined) return named
  const head = await source.read({ offset: 0, length: Math.min(HEAD_BYTES, source.size) }, { signal })
  const format =
    recogniseFormat(head, new URL(source.url), await tailOf(source, signal, formats), formats) ??
    (await findFormatFurtherOn(source, { signal }, formats))
  if (format !== undefined) return format
  const start = JSON.stringify(Buffer.from(head.subarray(0, 16)).toString('latin1'))
  const found = `${nameOfBytes(head) ?? 'of no known kind'}${head.length === 0 ? '' : `, beginning with ${start}`}`
  const known = formats.map(({ name }) => name).join(', ')
  throw new VirtualZarrError('unknown-format', `the source is ${found}; what is read here: ${known}`, {
    url: publicUrl(source.url),
  })
}

/** The last bytes of a document that says only there what it is; most are short and were read with the head. */
async function tailOf(
  source: Source,
  signal: AbortSignal,
  formats: readonly Format[],
): Promise<Uint8Array | undefined> {
  const url = new URL(source.url)
  if (!formats.some((format) => format.saysAtEnd?.(url) === true)) return undefined
  const length = Math.min(HEAD_BYTES, source.size)
  return await source.read({ offset: source.size - length, length }, { signal })
}

/** The names of formats that are not built in are known only here. */
export function checkForced(forced: string | undefined, formats: readonly Format[] = []): void {
  if (forced?.startsWith(OWN_FORMAT) !== true || formats.some(({ name }) => name === forced)) return
  const own = formats.map(({ name }) => name).filter((name) => name.startsWith(OWN_FORMAT))
  const known = own.length === 0 ? 'this server has none of its own' : `its own are ${own.join(', ')}`
  throw invalidRequest(`there is no format ${forced} here; ${known}`, { option: 'format' })
}
