import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import type { ByteRange } from '../bytes/byte-range.ts'
import { type Feed, feedOfParts } from '../bytes/feed.ts'
import { isVirtualZarrError } from '../errors.ts'
import { type FileRules, realPathOf } from './file-rules.ts'
import { changed, denied, notFound, unavailable } from './http/failures.ts'
import type { ReadOptions, Source, SourceCondition } from './source.ts'
import { checkInside, checkReadable } from './source.ts'

/** Opens a file below one of the roots, in the version that a document names. */
export async function openFileSource(url: URL, rules: FileRules, condition: SourceCondition = {}): Promise<Source> {
  const { handle, version } = await openFile(url, rules)
  await handle.close()
  checkCondition(url, version, condition)
  return new FileSource(url, rules, version)
}

/** What is known of a file besides where it is. */
export type ToldFile = Omit<FileVersion, 'etag'>

export function toldFile(source: Source): ToldFile | undefined {
  if (!(source instanceof FileSource)) return undefined
  const { size, validator, modified } = source
  return { size, validator, modified }
}

/** A file of which the version is known: each read looks whether it is still that. */
export function knownFile(url: URL, rules: FileRules, told: ToldFile): Source {
  return new FileSource(url, rules, told)
}

/** Names directly below a folder; undefined when there is no such folder. */
export async function listFolder(url: URL, rules: FileRules): Promise<readonly string[] | undefined> {
  try {
    const path = await realPathOf(url, rules)
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort()
  } catch (error) {
    const failure = toFailure(error, url.href)
    if (isVirtualZarrError(failure, 'source-not-found')) return undefined
    throw failure
  }
}

interface FileVersion {
  readonly size: number
  readonly validator: string
  /** The tag that Rust's object_store gives to files, which some of its versions put in quotes. */
  readonly etag: string
  /** Of the last change, in seconds. */
  readonly modified: number
}

/** Throws for a file that is not of the version which a document names. */
function checkCondition(url: URL, { etag, modified }: FileVersion, condition: SourceCondition): void {
  const hasTag = condition.etag === undefined || condition.etag.replaceAll('"', '') === etag
  const isOld = condition.unmodifiedSince === undefined || modified <= condition.unmodifiedSince
  if (hasTag && isOld) return
  throw notFound('the file is not the version that references are to: it was modified since', url.href)
}

/** One version of a file: every read compares size, date and inode with it, before and after. */
class FileSource implements Source {
  readonly url: string
  readonly size: number
  readonly validator: string
  readonly modified: number
  readonly condition: SourceCondition
  readonly #url: URL
  readonly #rules: FileRules

  constructor(url: URL, rules: FileRules, version: ToldFile) {
    this.url = url.href
    this.size = version.size
    this.validator = version.validator
    this.modified = version.modified
    this.condition = { unmodifiedSince: version.modified }
    this.#url = url
    this.#rules = rules
  }

  async read(range: ByteRange, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    checkInside(range, this)
    checkReadable(range, this)
    signal?.throwIfAborted()
    const handle = await this.#open()
    try {
      const bytes = new Uint8Array(range.length)
      await this.#fill(handle, bytes, range.offset)
      await this.#check(handle)
      return bytes
    } catch (error) {
      throw toFailure(error, this.url)
    } finally {
      await handle.close()
    }
  }

  async feed(range: ByteRange, { signal }: ReadOptions = {}): Promise<Feed> {
    checkInside(range, this)
    signal?.throwIfAborted()
    return await feedOfParts(this.#parts(await this.#open(), range, signal))
  }

  async *#parts(handle: FileHandle, range: ByteRange, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const end = range.offset + range.length
    try {
      for (let at = range.offset; at < end; at += STEP_BYTES) {
        const bytes = new Uint8Array(Math.min(STEP_BYTES, end - at))
        await this.#fill(handle, bytes, at)
        // Before the part is handed on, and not only at the end: what was sent can't be taken back.
        await this.#check(handle)
        signal?.throwIfAborted()
        yield bytes
      }
    } catch (error) {
      throw toFailure(error, this.url)
    } finally {
      await handle.close()
    }
  }

  async #open(): Promise<FileHandle> {
    const { handle, version } = await openFile(this.#url, this.#rules)
    if (version.validator === this.validator) return handle
    await handle.close()
    throw changed('the file was replaced since it was opened', this.url)
  }

  async #fill(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at, offset + at)
      if (bytesRead === 0) throw changed('the file has become shorter since it was opened', this.url)
      at += bytesRead
    }
  }

  async #check(handle: FileHandle): Promise<void> {
    const now = await versionOf(handle)
    if (now?.validator !== this.validator) throw changed('the file was written to while it was read', this.url)
  }
}

const STEP_BYTES = 256 * 1024

async function openFile(
  url: URL,
  rules: FileRules,
): Promise<{ readonly handle: FileHandle; readonly version: FileVersion }> {
  let handle: FileHandle | undefined
  try {
    const path = await realPathOf(url, rules)
    // Not blocking: opening a FIFO would wait for its writer. No link: the path is real, what became one since is not.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    const version = await versionOf(handle)
    if (version === undefined) throw notFound('not a regular file', url.href)
    return { handle, version }
  } catch (error) {
    await handle?.close()
    throw toFailure(error, url.href)
  }
}

async function versionOf(handle: FileHandle): Promise<FileVersion | undefined> {
  const stat = await handle.stat({ bigint: true })
  if (!stat.isFile()) return undefined
  const validator = `${stat.mtimeNs.toString(36)}-${stat.size.toString(36)}-${stat.ino.toString(36)}`
  const etag = `${stat.ino.toString(16)}-${(stat.mtimeNs / 1000n).toString(16)}-${stat.size.toString(16)}`
  return { size: Number(stat.size), validator, etag, modified: Number(stat.mtimeNs) / 1e9 }
}

/** Translates what the file system says. */
function toFailure(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  if (isVirtualZarrError(error)) return error
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'ENAMETOOLONG':
      return notFound('there is no such file', url)
    case 'EACCES':
    case 'EPERM':
    case 'ELOOP':
    case 'ENXIO':
      return denied('the file may not be read', url)
  }
  return unavailable(`the file could not be read (${error.code})`, url, error)
}
