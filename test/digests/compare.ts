import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Digest } from './answers.ts'

export interface Difference {
  readonly what: string
  readonly detail: string
}

/** Where two records differ: answers that only one has, and answers of another status, type or content. */
export function differencesBetween(before: string, after: string): Difference[] {
  const [old, current] = [readRecord(before), readRecord(after)]
  const differences: Difference[] = []
  for (const [what, digest] of old) {
    const other = current.get(what)
    if (other === undefined) differences.push({ what, detail: 'is no longer asked for: a document above it changed' })
    else if (digest.status !== other.status) {
      differences.push({ what, detail: `status ${digest.status} -> ${other.status}` })
    } else if (digest.type !== other.type) differences.push({ what, detail: `type ${digest.type} -> ${other.type}` })
    else if (digest.sha256 !== other.sha256) {
      differences.push({ what, detail: contentDifference(before, after, digest, other) })
    }
  }
  for (const what of current.keys()) if (!old.has(what)) differences.push({ what, detail: 'was not asked for before' })
  return differences
}

function readRecord(folder: string): Map<string, Digest> {
  const lines = readFileSync(join(folder, 'digests.ndjson'), 'utf8').trim().split('\n')
  const digests = lines.map((line) => JSON.parse(line) as Digest)
  return new Map(
    digests.map((digest) => [`${digest.source} ${digest.options || '(no options)'} ${digest.key}`, digest]),
  )
}

function contentDifference(before: string, after: string, old: Digest, current: Digest): string {
  const [left, right] = [join(before, 'documents', old.sha256), join(after, 'documents', current.sha256)]
  if (!existsSync(left) || !existsSync(right)) return `${old.bytes} -> ${current.bytes} bytes, other content`
  return firstDifference(JSON.parse(readFileSync(left, 'utf8')), JSON.parse(readFileSync(right, 'utf8')), '$')
}

/** The path of the first member that differs, and both values. */
export function firstDifference(left: unknown, right: unknown, path: string): string {
  if (isContainer(left) && isContainer(right) && Array.isArray(left) === Array.isArray(right)) {
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
    for (const name of names) {
      if (JSON.stringify(left[name]) !== JSON.stringify(right[name])) {
        return firstDifference(left[name], right[name], `${path}.${name}`)
      }
    }
    return `${path}: the order of members`
  }
  return `${path}: ${shorten(left)} -> ${shorten(right)}`
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 160)
}
