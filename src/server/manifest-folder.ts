import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Where `serve` persists opened stores by default: in the user's cache folder, as the platform has it (on Linux, XDG Base Directory
 * Specification 0.8); undefined for a user without a home.
 */
export function manifestFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const base = cacheFolder(environment, platform)
  return base === undefined ? undefined : join(base, 'virtual-zarr-server')
}

function cacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local, HOME: home = systemHome() } = environment
  // Relative paths are to be ignored, the specification says.
  if (xdg !== undefined && isAbsolute(xdg)) return xdg
  if (platform === 'win32') return local
  if (home === undefined || !isAbsolute(home)) return undefined
  return platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache')
}

function systemHome(): string | undefined {
  try {
    return homedir()
  } catch {
    // Containers run users that no file knows.
    return undefined
  }
}

/** What to tell the operator of a folder that can't be written; undefined for one that can. Makes the folder. */
export async function whyNotWritable(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return `opened stores are not persisted: ${folder} can't be written (${code}); VZ_MANIFEST_DIR names another folder, and none when it is empty`
  }
}
