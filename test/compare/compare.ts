import { startServer } from '../interop/server-process.ts'
import { gribPython, interopPython } from '../interop/venv.ts'
import type { FoundFile } from './find-files.ts'
import { ReferenceProcess } from './reference-process.ts'

const MAX_FILE_MILLISECONDS = 60_000
const PROCESSES = 2

export interface FileDifference {
  readonly path: string
  /** Path of the array in the store; empty for the file as a whole. */
  readonly array: string
  readonly what: string
  readonly reference: string
  readonly ours: string
}

export interface CompareReport {
  /** Pairs of values, masks, coordinates and attributes that were compared. */
  readonly compared: number
  readonly paths: readonly string[]
  readonly differences: readonly FileDifference[]
  /** Files that the service refuses with a typed error, and files that the reference reader can't read, each with the reason. */
  readonly refused: readonly (readonly [path: string, reason: string])[]
  readonly unread: readonly (readonly [path: string, reason: string])[]
}

/** Sends each file through a running service and through the reference reader. */
export async function compareFiles(
  files: readonly FoundFile[],
  onProgress: (done: number) => void = () => undefined,
): Promise<CompareReport> {
  const server = await startServer({ VZ_FILE_ROOT: '/', VZ_LOG_LEVEL: 'silent' })
  const report = {
    compared: 0,
    paths: [] as string[],
    differences: [] as FileDifference[],
    refused: [] as [string, string][],
    unread: [] as [string, string][],
  }
  const waiting = files.values()
  let done = 0
  const work = async () => {
    const readers = new ReferenceProcess(server.url, interopPython)
    const gribReader = new ReferenceProcess(server.url, gribPython)
    try {
      for (const file of waiting) {
        const reference = file.format === 'grib' ? gribReader : readers
        const { compared, differences, refused, unread } = await reference.compare(file, MAX_FILE_MILLISECONDS)
        report.compared += compared
        report.paths.push(file.path)
        report.differences.push(...differences.map((difference) => ({ path: file.path, ...difference })))
        if (refused !== undefined) report.refused.push([file.path, refused])
        if (unread !== undefined) report.unread.push([file.path, unread])
        onProgress(++done)
      }
    } finally {
      readers.close()
      gribReader.close()
    }
  }
  try {
    await Promise.all(Array.from({ length: PROCESSES }, work))
    return { ...report, differences: report.differences.toSorted((one, other) => (one.path < other.path ? -1 : 1)) }
  } finally {
    await server.stop()
  }
}
