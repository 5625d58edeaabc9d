// Files beside a TIFF that say what it leaves out, as GDAL looks for them.
import type { Diagnostic } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import type { Affine } from '../georeference/conventions.ts'
import { openSidecar, readSidecar, type SidecarKind } from '../sidecar.ts'
import { isTiff } from './directories/file-header.ts'
import { type Page, readIfds, readStart } from './directories/read-ifds.ts'
import { besideOf, namedTiff } from './mark.ts'
import { isPam, type Pam, parsePam } from './pam.ts'
import { isWorldFile, parseWorldFile } from './world-file.ts'

/** What was found beside a file. */
export interface Sidecars {
  readonly pam: Pam | undefined
  /** From a world file; what the file itself says goes before it. */
  readonly transform: Affine | undefined
  readonly mask: OtherTiff | undefined
  readonly overviews: OtherTiff | undefined
}

/** A TIFF beside the one that is served. */
interface OtherTiff {
  readonly pages: readonly Page[]
  readonly location: TiffLocation
}

/** Where the blocks of an image are: the file, and its number in references of chunks. */
export interface TiffLocation {
  readonly source: Source
  readonly reference: number
}

/** What a file does not say by itself. */
export interface Missing {
  readonly place: boolean
  readonly nodata: boolean
  readonly mask: boolean
  readonly overviews: boolean
}

export const NO_SIDECARS: Sidecars = { pam: undefined, transform: undefined, mask: undefined, overviews: undefined }

const PAM: SidecarKind<Pam> = { name: 'PAM document', mostBytes: 1024 * 1024, accepts: isPam, parse: parsePam }
const WORLD: SidecarKind<Affine> = { name: 'world file', mostBytes: 4096, accepts: isWorldFile, parse: parseWorldFile }

/** Sidecars that are asked for before it is known what the file lacks: `take` says that one counts. */
export interface Probes {
  take(missing: Missing): Promise<Sidecars>
}

/** Asks for all sidecars at once; those that are not there cost nothing more, damaged ones a diagnostic where they count. */
export function probeSidecars(url: string, isPlaced: boolean, context: ParseContext): Probes {
  const named = namedTiff(url)
  if (named === undefined) return { take: async () => NO_SIDECARS }
  const { stem, extension } = named
  const folder = new URL('.', url).href
  const names = besideOf(url)
  const probe = <T>(look: (quiet: ParseContext) => Promise<T>) => probeOf(look, context)
  const pam = probe((quiet) => readSidecar(PAM, names.pam, quiet))
  const mask = probe((quiet) => readOther('mask', names.mask, quiet))
  const overviews = probe((quiet) => readOther('file of overviews', names.overviews, quiet))
  const ends = isPlaced ? [] : worldExtensions(extension)
  const worlds = ends.map((end) => probe((quiet) => readSidecar(WORLD, `${folder}${stem}.${end}`, quiet)))
  return {
    async take(missing) {
      const transforms = await Promise.all(worlds.map((world) => world()))
      return {
        pam: missing.place || missing.nodata ? await pam() : undefined,
        transform: transforms.find((transform) => transform !== undefined),
        mask: missing.mask ? await mask() : undefined,
        overviews: missing.overviews ? await overviews() : undefined,
      }
    },
  }
}

/** Begins to look; the returned function waits for it, and says then what there is to say of it. */
function probeOf<T>(look: (quiet: ParseContext) => Promise<T>, context: ParseContext): () => Promise<T> {
  const diagnostics: Diagnostic[] = []
  const found = look({ ...context, warn: (diagnostic) => diagnostics.push(diagnostic) })
  found.catch(() => undefined)
  return async () => {
    const value = await found
    for (const diagnostic of diagnostics) context.warn(diagnostic)
    return value
  }
}

async function readOther(name: string, url: string, context: ParseContext): Promise<OtherTiff | undefined> {
  return await openSidecar({ name, accepts: isTiff }, url, context, async (source) => {
    const { pages } = await readIfds(await readStart(source, context))
    return { pages, location: { source, reference: context.reference(url) } }
  })
}

/** `tfw`, `tifw` and `wld`, in this order, in the case of the file's own extension. */
function worldExtensions(extension: string): string[] {
  const ends = [`${extension.at(0)}${extension.at(-1)}w`, `${extension}w`, 'wld']
  return extension === extension.toUpperCase() ? ends.map((end) => end.toUpperCase()) : ends
}
