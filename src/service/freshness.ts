import type { Sources } from '../source/source.ts'
import type { CachedSource } from './store-cache.ts'

/** Whether an opened source is still what its origin has. */
export interface Freshness {
  /** Whether the origin need not be asked: it has said so a short while ago. */
  isRecent(entry: CachedSource): boolean
  /** `soon`: its last answer counts for a moment only. */
  check(entry: CachedSource, soon?: 'soon'): Promise<boolean>
}

/** A store that is gone must not read as fill, nor a sparse one ask for every chunk that it lacks. */
const SOON_SECONDS = 1

/** Asks the origin, at most every `freshSeconds` and once for concurrent requests, whether a source is unchanged. */
export function freshnessOf(sources: Sources, freshSeconds: number): Freshness {
  const asking = new WeakMap<CachedSource, Promise<boolean>>()
  async function ask(entry: CachedSource): Promise<boolean> {
    const answers = await Promise.all(entry.parsed.documents.map((document) => sources.isFresh(document)))
    const fresh = answers.every(Boolean)
    if (fresh) entry.checkedAt = performance.now()
    else entry.changed = true
    return fresh
  }
  const isRecent = (entry: CachedSource, seconds = freshSeconds) =>
    !entry.changed && performance.now() - entry.checkedAt < seconds * 1000
  return {
    isRecent: (entry) => isRecent(entry),
    async check(entry, soon) {
      if (isRecent(entry, soon === undefined ? freshSeconds : Math.min(freshSeconds, SOON_SECONDS))) return true
      if (entry.changed) return false
      let asked = asking.get(entry)
      if (asked === undefined) {
        asked = ask(entry).finally(() => asking.delete(entry))
        asking.set(entry, asked)
      }
      return await asked
    },
  }
}
