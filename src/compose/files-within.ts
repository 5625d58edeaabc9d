import type { VirtualArray } from '../model/virtual-store.ts'
import { rulesOf } from './operations.ts'
import type { Region } from './region.ts'

/** The numbers of all files of a join that reach into a region, those of rows of joins included. Opens them. */
export async function filesWithin(
  array: VirtualArray,
  region: Region,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<number>> {
  const files = new Set<number>()
  if (array.operation === undefined) return files
  for (const below of await rulesOf(array).below(array, region, signal)) {
    if (below.file !== undefined) files.add(below.file)
    else for (const file of await filesWithin(below.array, below.region, signal)) files.add(file)
  }
  return files
}
