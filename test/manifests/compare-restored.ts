import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecodeWorkers } from '../../src/delivery/delivery.ts'
import { folderPlace } from '../../src/manifests/folder.ts'
import { ManifestStore, Outcomes as PlaceOutcomes } from '../../src/manifests/manifests.ts'
import type { Sources } from '../../src/source/source.ts'
import { outcomesOf, serviceOf } from './outcomes.ts'

export interface Compared {
  /** Answers that were compared. */
  readonly answers: number
  readonly isKept: boolean
  /** The first answer of the source was an error: there is nothing to keep. */
  readonly isRefused: boolean
  /** Why it is not kept. */
  readonly reason: unknown
}

export interface CompareInput {
  readonly sources: Sources
  readonly workers: RecodeWorkers
  readonly url: string
  readonly options: Readonly<Record<string, string>>
  readonly mostChunks: number
}

/**
 * Opens a source in a process that keeps it, and again in one that finds it: each must answer every document and chunk as one
 * without any keeping does.
 */
export async function compareRestored({ sources, workers, url, options, mostChunks }: CompareInput): Promise<Compared> {
  const path = await mkdtemp(join(tmpdir(), 'vz-manifests-'))
  let reason: unknown
  const onSkipped = (error: unknown) => {
    reason = error
  }
  const open = () => {
    const outcomes = new PlaceOutcomes()
    const place = folderPlace({ path, mostBytes: 2 ** 30, count: outcomes.count })
    return serviceOf(sources, workers, new ManifestStore({ places: [place], revision: 'test', outcomes, onSkipped }))
  }
  try {
    const plain = await outcomesOf(serviceOf(sources, workers), url, options, mostChunks)
    const first = open()
    assert.deepEqual(await outcomesOf(first, url, options, mostChunks), plain, `${url}: while it is kept`)
    await first.close()
    const second = open()
    assert.deepEqual(await outcomesOf(second, url, options, mostChunks), plain, `${url}: as it was kept`)
    await second.close()
    // A join is made anew of sources that are kept.
    const isKept = (second.statistics.kept?.restored ?? 0) > 0 && second.statistics.opens === 0
    return { answers: plain.size, isKept, isRefused: plain.size === 1, reason }
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}
