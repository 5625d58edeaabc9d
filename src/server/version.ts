import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a file of this package, whether the program runs from `src` or from `dist/src`. */
export function packageFile(name: string): string {
  const fromSource = new URL('../../package.json', import.meta.url)
  const root = existsSync(fromSource) ? new URL('../../', import.meta.url) : new URL('../../../', import.meta.url)
  return fileURLToPath(new URL(name, root))
}

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
