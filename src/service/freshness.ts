import { isVirtualZarrError } from '../errors.ts'
import type { NamedVersion } from '../formats/format.ts'
import type { Sources } from '../source/source.ts'
import type { ParsedSource } from './open-source.ts'

/** Whether the origin still has the version that was parsed; it is asked, but for what never changes. */
export async function isCurrentVersion(
  { documents, named, isGuessed }: Pick<ParsedSource, 'documents' | 'named' | 'isGuessed'>,
  sources: Pick<Sources, 'isFresh'>,
): Promise<boolean> {
  if (named?.isFixed === true) return true
  // Where a change of the documents may be missed, what they say is read again.
  if (named !== undefined && isGuessed) return await isStillNamed(named)
  const answers = await Promise.all(documents.map((document) => sources.isFresh(document)))
  return answers.every(Boolean) || (named !== undefined && (await isStillNamed(named)))
}

/** The documents may have changed for the sake of other versions. */
async function isStillNamed(named: NamedVersion): Promise<boolean> {
  try {
    return await named.isCurrent()
  } catch (error) {
    if (isVirtualZarrError(error, 'source-not-found')) return false
    throw error
  }
}
