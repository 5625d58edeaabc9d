// Files beside a TIFF that say what it leaves out, as GDAL looks for them.
import { isVirtualZarrError } from '../../errors.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import type { Affine } from '../georeference/conventions.ts'
import { isPam, type Pam, parsePam } from './pam.ts'
import { isWorldFile, parseWorldFile } from './world-file.ts'

/** What was found beside a file. */
export interface Sidecars {
  readonly pam: Pam | undefined
  /** From a world file; what the file itself says goes before it. */
  readonly transform: Affine | undefined
}

export const NO_SIDECARS: Sidecars = { pam: undefined, transform: undefined }

interface Kind<T> {
  readonly name: string
  readonly mostBytes: number
  accepts(head: Uint8Array): boolean
  parse(text: string): T
}

const PAM: Kind<Pam> = { name: 'PAM document', mostBytes: 1024 * 1024, accepts: isPam, parse: parsePam }
const WORLD: Kind<Affine> = { name: 'world file', mostBytes: 4096, accepts: isWorldFile, parse: parseWorldFile }

const NAMED_TIFF = /^(.+)\.([a-z]{0,8}tiff?)$/i
/** An origin says one of these for what it has not got; a guard for what may not be read. */
const NONE: readonly string[] = ['source-not-found', 'source-denied', 'source-forbidden']
/** What is wrong with the sidecar itself, or its origin; all else ends the parse. */
const DAMAGED: readonly string[] = [
  'unknown-format',
  'limit-exceeded',
  'malformed-source',
  'unsupported-feature',
  'source-unavailable',
  'source-timeout',
]

/** Asks for all sidecars at once; those that are not there cost nothing more, damaged ones a diagnostic. */
export async function findSidecars(url: string, context: ParseContext): Promise<Sidecars> {
  const { pathname, search } = new URL(url)
  const slash = pathname.lastIndexOf('/') + 1
  const [, stem, extension] = NAMED_TIFF.exec(pathname.slice(slash)) ?? []
  // The same query may be another file's, or a signature that is good for one.
  if (stem === undefined || extension === undefined || search !== '') return NO_SIDECARS
  const folder = new URL('.', url).href
  const worlds = worldExtensions(extension).map((end) => read(WORLD, `${folder}${stem}.${end}`, context))
  const [pam, ...transforms] = await Promise.all([read(PAM, `${url}.aux.xml`, context), ...worlds])
  return { pam, transform: transforms.find((transform) => transform !== undefined) }
}

/** `tfw`, `tifw` and `wld`, in this order, in the case of the file's own extension. */
function worldExtensions(extension: string): string[] {
  const ends = [`${extension.at(0)}${extension.at(-1)}w`, `${extension}w`, 'wld']
  return extension === extension.toUpperCase() ? ends.map((end) => end.toUpperCase()) : ends
}

async function read<T>(kind: Kind<T>, url: string, context: ParseContext): Promise<T | undefined> {
  let source: Source
  let text: string
  try {
    source = await context.open(url, { accepts: (head) => kind.accepts(head) })
    if (source.size > kind.mostBytes) return damaged(kind, url, `it has ${source.size} bytes`, context)
    text = Buffer.from(await source.read({ offset: 0, length: source.size }, context)).toString('utf8')
  } catch (error) {
    if (context.signal?.aborted === true || !isVirtualZarrError(error)) throw error
    if (NONE.includes(error.code)) return undefined
    if (!DAMAGED.includes(error.code)) throw error
    return damaged(kind, url, error.message, context)
  }
  try {
    return kind.parse(text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return damaged(kind, url, error.message.split('\n', 1)[0] ?? '', context)
  }
}

function damaged(kind: Kind<unknown>, url: string, why: string, context: ParseContext): undefined {
  const name = url.slice(url.lastIndexOf('/') + 1).slice(-100)
  const message = `${JSON.stringify(name)} is not read as a ${kind.name}: ${why.slice(0, 200)}`
  context.warn({ code: 'sidecar-not-read', message })
}
