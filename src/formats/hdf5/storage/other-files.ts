import { isVirtualZarrError, unsupported, VirtualZarrError } from '../../../errors.ts'
import { addressBeside } from '../../../model/file-beside.ts'
import type { VirtualGroup } from '../../../model/virtual-store.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'

/** A file that the parsed one refers to. */
interface OtherFile {
  readonly root: VirtualGroup
  /** What `ChunkRef.source` calls it. */
  readonly reference: number
}

/** Opens files that lie beside the parsed one, or below it; each once. */
export interface OtherFiles {
  parsed(name: string): Promise<OtherFile>
  /** Undefined where its origin says that there is no such file. Any other failure is thrown. */
  parsedIfPresent(name: string): Promise<OtherFile | undefined>
  opened(name: string): Promise<{ readonly source: Source; readonly reference: number }>
}

/** Each costs a request before anything can be served. */
const MOST_FILES = 64

/**
 * GUARD-5: names of other files go nowhere but to the parsed file's own folder and below, by the guarded way
 * that the context opens. `parse` reads such a file; one that refers to further files is not followed.
 */
export function otherFiles(
  url: string,
  context: ParseContext,
  parse: (source: Source) => Promise<VirtualGroup>,
): OtherFiles {
  const sources = new Map<string, Promise<Source>>()
  const roots = new Map<string, Promise<VirtualGroup>>()

  const sourceOf = (name: string): Promise<Source> => {
    const target = addressBeside(url, name)
    const known = sources.get(target)
    if (known !== undefined) return known
    if (sources.size >= MOST_FILES)
      throw unsupported('many external files', `values in more than ${MOST_FILES} other files`)
    const source = openOrExplain(context, target, name)
    sources.set(target, source)
    return source
  }

  const parsed = async (name: string): Promise<OtherFile> => {
    const source = await sourceOf(name)
    const root = roots.get(source.url) ?? parse(source)
    roots.set(source.url, root)
    return { root: await root, reference: context.reference(addressBeside(url, name)) }
  }

  return {
    async opened(name) {
      return { source: await sourceOf(name), reference: context.reference(addressBeside(url, name)) }
    },
    parsed,
    async parsedIfPresent(name) {
      try {
        return await parsed(name)
      } catch (error) {
        if (isVirtualZarrError(error, 'unsupported-feature') && isVirtualZarrError(error.cause, 'source-not-found'))
          return undefined
        throw error
      }
    },
  }
}

async function openOrExplain(context: ParseContext, target: string, name: string): Promise<Source> {
  try {
    return await context.open(target, { mayBeAbsent: true })
  } catch (error) {
    if (!isVirtualZarrError(error)) throw error
    const isGone =
      error.code === 'source-not-found' || error.code === 'source-forbidden' || error.code === 'source-denied'
    if (!isGone) throw error
    const message = `values in ${JSON.stringify(name)}, which can't be opened: ${error.message}`
    throw new VirtualZarrError('unsupported-feature', message, { feature: 'external file' }, error)
  }
}

/** For a file that was itself reached from another. */
export const NO_OTHER_FILES: OtherFiles = {
  parsed: refuse,
  parsedIfPresent: refuse,
  opened: refuse,
}

async function refuse(name: string): Promise<never> {
  throw unsupported('external file', `values in ${JSON.stringify(name)}, which another file than the source refers to`)
}
