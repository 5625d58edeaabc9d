// Files beside a TIFF that say what it leaves out, as GDAL looks for them.
import type { ParseContext } from '../format.ts'
import type { Affine } from '../georeference/conventions.ts'
import { readSidecar, type SidecarKind } from '../sidecar.ts'
import { isPam, type Pam, parsePam } from './pam.ts'
import { isWorldFile, parseWorldFile } from './world-file.ts'

/** What was found beside a file. */
export interface Sidecars {
  readonly pam: Pam | undefined
  /** From a world file; what the file itself says goes before it. */
  readonly transform: Affine | undefined
}

export const NO_SIDECARS: Sidecars = { pam: undefined, transform: undefined }

const PAM: SidecarKind<Pam> = { name: 'PAM document', mostBytes: 1024 * 1024, accepts: isPam, parse: parsePam }
const WORLD: SidecarKind<Affine> = { name: 'world file', mostBytes: 4096, accepts: isWorldFile, parse: parseWorldFile }

const NAMED_TIFF = /^(.+)\.([a-z]{0,8}tiff?)$/i
/** Asks for all sidecars at once; those that are not there cost nothing more, damaged ones a diagnostic. */
export async function findSidecars(url: string, context: ParseContext): Promise<Sidecars> {
  const { pathname, search } = new URL(url)
  const slash = pathname.lastIndexOf('/') + 1
  const [, stem, extension] = NAMED_TIFF.exec(pathname.slice(slash)) ?? []
  // The same query may be another file's, or a signature that is good for one.
  if (stem === undefined || extension === undefined || search !== '') return NO_SIDECARS
  const folder = new URL('.', url).href
  const worlds = worldExtensions(extension).map((end) => readSidecar(WORLD, `${folder}${stem}.${end}`, context))
  const [pam, ...transforms] = await Promise.all([readSidecar(PAM, `${url}.aux.xml`, context), ...worlds])
  return { pam, transform: transforms.find((transform) => transform !== undefined) }
}

/** `tfw`, `tifw` and `wld`, in this order, in the case of the file's own extension. */
function worldExtensions(extension: string): string[] {
  const ends = [`${extension.at(0)}${extension.at(-1)}w`, `${extension}w`, 'wld']
  return extension === extension.toUpperCase() ? ends.map((end) => end.toUpperCase()) : ends
}
