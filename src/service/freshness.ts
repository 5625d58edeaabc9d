import { isVirtualZarrError } from '../errors.ts'
import type { NamedVersion } from '../formats/format.ts'
import type { Sources } from '../source/source.ts'
import type { ParsedSource } from './open-source.ts'

/** Whether the origin still has the version that was parsed; it is asked, but for what never changes. */
export async function isCurrentVersion(
  { documents, absent = [], named, isGuessed }: Pick<ParsedSource, 'documents' | 'absent' | 'named' | 'isGuessed'>,
  sources: Pick<Sources, 'isFresh'>,
): Promise<boolean> {
  if (named?.isFixed === true) return true
  // Where a change of the documents may be missed, what they say is read again.
  if (named !== undefined && isGuessed) return await isStillNamed(named)
  const asked = [
    ...documents.map((document) => sources.isFresh(document)),
    ...absent.map((document) => document.isStillAbsent()),
  ]
  const answers = await Promise.all(asked)
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
