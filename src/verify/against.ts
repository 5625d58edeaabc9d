import type { ArrayReport, VerifyReport } from './report.ts'

/** What is otherwise than in an earlier report of the same source. */
export type Change = {
  readonly path: string
  readonly what: 'version' | 'added' | 'removed' | 'shape' | 'type' | 'values'
  readonly before: string
  readonly now: string
}

/** What changed at the origin since a report was made, as far as both have looked at the same chunks. */
export function changesSince(before: VerifyReport, now: VerifyReport): readonly Change[] {
  const changes: Change[] = []
  if (before.version !== now.version)
    changes.push({ path: '', what: 'version', before: before.version, now: now.version })
  for (const path of Object.keys(before.arrays)) {
    if (now.arrays[path] === undefined) changes.push({ path, what: 'removed', before: 'there', now: 'absent' })
  }
  for (const [path, array] of Object.entries(now.arrays)) {
    const earlier = before.arrays[path]
    if (earlier === undefined) changes.push({ path, what: 'added', before: 'absent', now: 'there' })
    else changes.push(...arrayChanges(path, earlier, array))
  }
  return changes
}

function* arrayChanges(path: string, before: ArrayReport, now: ArrayReport): Generator<Change> {
  if (before.shape.join() !== now.shape.join())
    yield { path, what: 'shape', before: before.shape.join(' x '), now: now.shape.join(' x ') }
  if (before.type !== now.type) yield { path, what: 'type', before: before.type, now: now.type }
  for (const [chunk, digest] of Object.entries(now.digests)) {
    const earlier = before.digests[chunk]
    if (earlier === undefined || earlier === digest) continue
    yield { path, what: 'values', before: `chunk ${chunk}: ${earlier}`, now: digest }
  }
}
