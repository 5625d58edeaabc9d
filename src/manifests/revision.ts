import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '..')

/**
 * Names what reads and writes entries: a hash of the program itself. So no change of a parser can be forgotten, and programs of
 * two revisions, side by side while one replaces the other, never read each other's entries.
 */
export function programRevision(folder = PROGRAM): string {
  const hash = createHash('sha256').update(process.versions.node)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter(isProgram).sort())
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(folder, name)))
  return hash.digest('base64url')
}

function isProgram(name: string): boolean {
  return /\.[jt]s$/.test(name) && !name.endsWith('.d.ts')
}
