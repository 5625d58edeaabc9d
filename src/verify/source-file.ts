import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { overLimit, VirtualZarrError } from '../errors.ts'

/** A source as a file, for readers that know nothing else. */
export interface SourceFile {
  readonly path: string
  /** Deletes what was made for it. */
  dispose(): Promise<void>
}

const NOTHING = () => Promise.resolve()

/** A place that a reader comes to by itself. */
export function readyPlace(url: string): SourceFile {
  return { path: url.startsWith('file:') ? fileURLToPath(url) : url, dispose: NOTHING }
}

/** The bytes of a source, without any layer of ours: what is wrong with one of those must show. */
export async function sourceFile(url: string, most: number, signal: AbortSignal | undefined): Promise<SourceFile> {
  if (url.startsWith('file:')) return readyPlace(url)
  const response = await fetch(url, { signal: signal ?? null })
  if (!response.ok || response.body === null)
    throw new VirtualZarrError('source-unavailable', `the origin answered ${response.status}`, {})
  return await fileOfParts(response.body as AsyncIterable<Uint8Array>, most, signal)
}

/** Keeps parts of a file in a folder of its own, as long as they are not too many bytes. */
export async function fileOfParts(
  parts: AsyncIterable<Uint8Array>,
  most: number,
  signal: AbortSignal | undefined,
): Promise<SourceFile> {
  const folder = await mkdtemp(join(tmpdir(), 'virtual-zarr-verify-'))
  const dispose = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'source')
  try {
    const file = await open(path, 'w')
    try {
      for await (const part of bounded(parts, most)) {
        signal?.throwIfAborted()
        await file.writeFile(part)
      }
    } finally {
      await file.close()
    }
    return { path, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function* bounded(parts: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const part of parts) {
    length += part.length
    if (length > most)
      throw overLimit(`the source has more than ${most} bytes, which an independent reader would need whole`)
    yield part
  }
}
