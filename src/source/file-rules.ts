import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forbidden } from './http/failures.ts'
import type { SourceSettings } from './settings.ts'

/**
 * Which files of this machine may be read. A file has as many names as links lead to it, so real paths are compared: that of the file,
 * and those of the folders that the rules name.
 */
export interface FileRules {
  /** Files lie below one of these. */
  readonly roots: readonly string[]
  /** And below none of these. */
  readonly deny: readonly string[]
  /** And, unless undefined, below one of these. */
  readonly only: readonly string[] | undefined
}

/** The part of the settings that is about files. */
export function fileRulesOf({ fileRoots, deny, only }: Pick<SourceSettings, 'fileRoots' | 'deny' | 'only'>): FileRules {
  return { roots: fileRoots, deny: pathsOf(deny), only: only.length === 0 ? undefined : pathsOf(only) }
}

/** Prefixes on hosts are no files of this machine. */
function pathsOf(prefixes: readonly string[]): readonly string[] {
  return prefixes.flatMap((text) => {
    const url = URL.parse(text)
    return url?.protocol === 'file:' && url.hostname === '' ? [resolve(fileURLToPath(url))] : []
  })
}

/** The real path of a file's URL. Throws `source-forbidden` before anything outside is opened, or what the file system says. */
export async function realPathOf(url: URL, rules: FileRules): Promise<string> {
  const path = pathOf(url)
  const roots = await allReal(rules.roots)
  if (path === undefined || !isBelowAny(path, [...rules.roots.map((root) => resolve(root)), ...roots]))
    throw outside(url)
  let real: string
  try {
    real = await realpath(path)
  } catch (error) {
    // Whether a file is there is not told of what may not be read.
    if (isAbsence(error)) await judge(await realPathAsFarAsThere(path), roots, rules, url)
    throw error
  }
  await judge(real, roots, rules, url)
  return real
}

async function judge(real: string, roots: readonly string[], { deny, only }: FileRules, url: URL): Promise<void> {
  if (!isBelowAny(real, roots)) throw outside(url)
  if (deny.length > 0 && isBelowAny(real, [...deny, ...(await allReal(deny))])) {
    throw forbidden('this source is denied here (VZ_DENY_SOURCES)', url.href)
  }
  if (only !== undefined && !isBelowAny(real, await allReal(only))) {
    throw forbidden('only listed sources may be read here (VZ_ONLY_SOURCES)', url.href)
  }
}

function outside(url: URL): Error {
  return forbidden('only files below the folder that is served may be read (serve FOLDER, VZ_FILE_ROOT)', url.href)
}

/** The path as it is written; undefined for an encoded slash, a NUL, or what is no path at all. */
function pathOf(url: URL): string | undefined {
  if (url.hostname !== '' || url.search !== '') return undefined
  try {
    const path = fileURLToPath(url)
    return path.includes('\0') ? undefined : path
  } catch {
    return undefined
  }
}

function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep))
}

/** What a rule names may not be there yet, or not be readable by this process: then its name is all there is to compare. */
async function allReal(paths: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(paths.map((path) => realPathAsFarAsThere(resolve(path)).catch(() => resolve(path))))
}

/** As many links as Linux follows in one path (path_resolution(7)). */
const MAX_LINKS = 40

/** The path without links where its last parts are not there, of which one may be a link that leads nowhere. */
async function realPathAsFarAsThere(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isAbsence(error) || links === MAX_LINKS || dirname(path) === path) throw error
  }
  const folder = await realPathAsFarAsThere(dirname(path), links)
  const target = await readlink(path).catch(() => undefined)
  return target === undefined
    ? join(folder, basename(path))
    : await realPathAsFarAsThere(resolve(folder, target), links + 1)
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
