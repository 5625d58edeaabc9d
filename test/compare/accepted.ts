import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { parse } from 'yaml'
import type { FileDifference } from './compare.ts'

/** A difference that is known and stays: which files (a glob of the path's end), what of them (a regular expression), and why. */
export interface AcceptedDifference {
  readonly file: string
  readonly what: RegExp
  readonly reason: string
}

export const ACCEPTED_FILE = new URL('accepted.yaml', import.meta.url)

export function readAccepted(text = readFileSync(ACCEPTED_FILE, 'utf8')): readonly AcceptedDifference[] {
  const entries: unknown = parse(text) ?? []
  if (!Array.isArray(entries)) throw new TypeError('accepted.yaml must be a list')
  return entries.map((entry: Record<string, unknown>, index) => {
    const { file, what, reason } = entry
    if (typeof file !== 'string' || typeof what !== 'string' || typeof reason !== 'string' || reason.length < 10) {
      throw new TypeError(`entry ${index} of accepted.yaml needs file, what and reason; found ${JSON.stringify(entry)}`)
    }
    return { file, what: new RegExp(what), reason }
  })
}

export interface JudgedDifferences {
  /** Differences that no entry accepts. */
  readonly fresh: readonly FileDifference[]
  readonly accepted: readonly FileDifference[]
  /** Entries whose files were compared, and that none of their differences needs any more. */
  readonly stale: readonly AcceptedDifference[]
}

/** Splits differences by the list of accepted ones. `compared` are the paths of all files that were compared. */
export function judgeDifferences(
  differences: readonly FileDifference[],
  compared: readonly string[],
  list: readonly AcceptedDifference[],
): JudgedDifferences {
  const seen = new Set<AcceptedDifference>()
  const fresh: FileDifference[] = []
  const accepted: FileDifference[] = []
  for (const difference of differences) {
    const entries = list.filter((entry) => isOf(difference.path, entry) && entry.what.test(lineOf(difference)))
    for (const entry of entries) seen.add(entry)
    ;(entries.length > 0 ? accepted : fresh).push(difference)
  }
  const stale = list.filter((entry) => !seen.has(entry) && compared.some((path) => isOf(path, entry)))
  return { fresh, accepted, stale }
}

/** What the expressions of `accepted.yaml` are tried on. */
export function lineOf({ array, what, reference, ours }: FileDifference): string {
  return `${array} ${what}: reference ${reference}, ours ${ours}`
}

function isOf(path: string, { file }: AcceptedDifference): boolean {
  return matchesGlob(path.replace(/\/$/, ''), `**/${file}`)
}
