import { isVirtualZarrError } from '../../errors.ts'
import type { SourceList } from '../../joins/sources/source-list.ts'
import { type ListFolder, type SourceSpec, sourcesOf } from '../../joins/sources/source-spec.ts'
import type { Source, Sources } from '../../source/source.ts'
import { digest } from '../document.ts'
import type { AbsentDocument } from '../parse-context.ts'

/** A source of a join whose version is asked for together with the metadata. */
export interface WatchedPart {
  /** Its number among the sources of the join. */
  readonly part: number
  readonly documents: readonly Source[]
  readonly absent?: readonly AbsentDocument[] | undefined
  /** Told when there is another version of it. */
  hasChanged(): Promise<void>
}

/** Files that a join found in listings: where they are others, it is another join. */
export class FoundFiles {
  readonly #list: ListFolder
  readonly #found: { readonly specs: readonly SourceSpec[]; readonly name: string }[] = []

  constructor(list: ListFolder) {
    this.#list = list
  }

  /** The sources that forms name; what was found in listings is remembered by a digest of its names. */
  async sourcesOf(specs: readonly SourceSpec[]): Promise<SourceList> {
    const isListed = specs.some((spec) => spec.kind === 'pattern' && spec.pattern.includes('*'))
    const list = await sourcesOf(specs, this.#list)
    if (isListed) this.#found.push({ specs, name: nameOf(list) })
    return list
  }

  /** Names what was found. */
  get names(): readonly string[] {
    return this.#found.map(({ name }) => name)
  }

  async areSame(): Promise<boolean> {
    const same = await Promise.all(
      this.#found.map(async ({ specs, name }) => nameOf(await sourcesOf(specs, this.#list)) === name),
    )
    return same.every(Boolean)
  }
}

function nameOf(list: SourceList): string {
  return digest(Array.from({ length: list.length }, (_none, position) => list.at(position)).join('\n'))
}

/** Whether no watched source is known to have changed; one that does not answer is a matter of its own chunks. */
export async function areUnchanged(watched: readonly WatchedPart[], sources: Sources): Promise<boolean> {
  const unchanged = await Promise.all(
    watched.map(async ({ documents, absent = [], hasChanged }) => {
      const answers = await Promise.all([
        ...documents.map((document) => isUnchanged(() => sources.isFresh(document))),
        ...absent.map((document) => isUnchanged(() => document.isStillAbsent())),
      ])
      if (answers.every(Boolean)) return true
      await hasChanged()
      return false
    }),
  )
  return unchanged.every(Boolean)
}

/** Whether an origin says so; one that is down says nothing else. */
export async function isUnchanged(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask()
  } catch (error) {
    const isDown = DOWN.some((code) => isVirtualZarrError(error, code))
    if (isDown) return true
    if (isVirtualZarrError(error)) return false
    throw error
  }
}

const DOWN = ['source-unavailable', 'source-timeout', 'overloaded'] as const
