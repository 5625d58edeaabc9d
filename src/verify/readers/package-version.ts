import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A package with the version that is installed: packages don't let their descriptions be imported. */
export function withVersion(packageName: string): string {
  const path = fileURLToPath(import.meta.resolve(packageName))
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const found = versionIn(join(folder, 'package.json'), packageName)
    if (found !== undefined) return `${packageName} ${found}`
  }
  return packageName
}

function versionIn(path: string, packageName: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string }
    return name === packageName ? version : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
