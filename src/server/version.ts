import { readFileSync } from 'node:fs'
import { packageFile } from './package-files.ts'

/** The version of this package. */
export const VERSION: string = readVersion()

function readVersion(): string {
  const description: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  const version =
    typeof description === 'object' && description !== null && 'version' in description
      ? description.version
      : undefined
  return typeof version === 'string' ? version : 'unknown'
}
