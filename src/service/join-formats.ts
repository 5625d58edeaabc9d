import { isJoinDocument } from '../joins/read-document.ts'
import { isStac } from '../joins/stac/read-stac.ts'
import { isVrt } from '../joins/vrt/read-vrt.ts'
import type { Source } from '../source/source.ts'

/** What names other files and is made of them. */
export const JOIN_FORMATS = ['join', 'stac', 'vrt'] as const
export type JoinFormat = (typeof JOIN_FORMATS)[number]

/** The same in words. */
export const JOIN_NAMES: Readonly<Record<JoinFormat, string>> = {
  join: 'a join',
  stac: 'a STAC document',
  vrt: 'a VRT',
}

/** How much of a file a format may look at to know it. */
export const HEAD_BYTES = 4096

/** Whether a source says of itself that it is made of others, or the request says so. */
export async function joinFormatOf(
  source: Source,
  forced: string | undefined,
  signal: AbortSignal,
): Promise<JoinFormat | undefined> {
  if (forced !== undefined) return JOIN_FORMATS.find((format) => format === forced)
  const head = await source.read({ offset: 0, length: Math.min(HEAD_BYTES, source.size) }, { signal })
  if (isVrt(head)) return 'vrt'
  if (isStac(head)) return 'stac'
  return isJoinDocument(head) ? 'join' : undefined
}
