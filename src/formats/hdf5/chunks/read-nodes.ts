import { type ByteRange, type RunLimits, runsOfRanges } from '../../../bytes/byte-range.ts'
import { bytesOfFeed } from '../../../bytes/feed.ts'
import { inParallel } from '../../../in-parallel.ts'
import type { Hdf5File } from '../structures/hdf5-file.ts'
import { checkInside } from '../structures/hdf5-file.ts'
import type { NodeRequest, ReadNodes } from './locator.ts'
import { MOST_GAP, sweepNodes, sweepOf } from './sweep-nodes.ts'

const TOGETHER: RunLimits = { mostGap: MOST_GAP, mostBytes: 4_194_304 }
/** Runs read at the same time; the source has its own limit of connections. */
const AT_ONCE = 64

type Visit = Parameters<ReadNodes>[1]

/** Reads nodes of an index, those that lie close together by one request; the file is swept once at most. */
export function nodeReader(file: Hdf5File, signal: AbortSignal | undefined): ReadNodes {
  let swept: ReadonlyMap<number, Uint8Array> | undefined
  return async (requests, visit, below) => {
    const sweep = below === undefined || swept !== undefined ? undefined : sweepOf(file, requests, below)
    if (sweep !== undefined && below !== undefined) swept = await sweepNodes(file, sweep, below, signal)
    const places = swept === undefined ? [...requests.keys()] : visitKept(swept, requests, visit)
    const wanted = places.flatMap((index) => {
      const request = requests[index]
      if (request === undefined) return []
      checkInside(file, request.address, request.length)
      return [{ index, request, offset: request.address, length: request.length }]
    })
    const runs = runsOfRanges(wanted, TOGETHER)
    await inParallel(runs, AT_ONCE, async (run) => {
      const bytes = await readRun(file, run, runs.length > MOST_IN_BLOCKS, signal)
      for (const place of run.places) {
        const found = wanted[place]
        if (found === undefined) continue
        const node = bytes.subarray(found.offset - run.offset, found.offset - run.offset + found.length)
        found.request.check(node)
        visit(node, found.index)
      }
    })
  }
}

/** Visits the nodes that are at hand, and returns the places of the others. */
function visitKept(kept: ReadonlyMap<number, Uint8Array>, requests: readonly NodeRequest[], visit: Visit): number[] {
  return [...requests.keys()].filter((index) => {
    const request = requests[index]
    const bytes = request === undefined ? undefined : kept.get(request.address)
    if (request === undefined || bytes === undefined || bytes.length < request.length) return true
    const node = bytes.subarray(0, request.length)
    request.check(node)
    visit(node, index)
    return false
  })
}

/** Few runs are read as everything else; many lie far apart, and would cost a block each: those are read by themselves. */
const MOST_IN_BLOCKS = 8

async function readRun(
  file: Hdf5File,
  run: ByteRange,
  isAlone: boolean,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const range = { offset: file.base + run.offset, length: run.length }
  if (!isAlone) return await file.source.read(range, { signal })
  return await bytesOfFeed(await file.source.feed(range, { signal }), run.length)
}
