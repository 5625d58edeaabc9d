import { bytesOfFeed } from '../../../bytes/feed.ts'
import type { Hdf5File } from '../structures/hdf5-file.ts'
import { checkInside } from '../structures/hdf5-file.ts'
import type { NodeRequest, ReadNodes } from './locator.ts'
import { MOST_GAP, sweepNodes, sweepOf } from './sweep-nodes.ts'

const MOST_RUN_BYTES = 4_194_304
/** Runs read at the same time; the source has its own limit of connections. */
const AT_ONCE = 64

interface Run {
  readonly offset: number
  length: number
  /** Places in the list of requests. */
  readonly members: number[]
}

type Visit = Parameters<ReadNodes>[1]

/** Reads nodes of an index, those that lie close together by one request; the file is swept once at most. */
export function nodeReader(file: Hdf5File, signal: AbortSignal | undefined): ReadNodes {
  let swept: ReadonlyMap<number, Uint8Array> | undefined
  return async (requests, visit, below) => {
    const sweep = below === undefined || swept !== undefined ? undefined : sweepOf(file, requests, below)
    if (sweep !== undefined && below !== undefined) swept = await sweepNodes(file, sweep, below, signal)
    const places = swept === undefined ? [...requests.keys()] : visitKept(swept, requests, visit)
    const runs = runsOf(file, requests, places)
    let next = 0
    const work = async (): Promise<void> => {
      for (let run = runs[next++]; run !== undefined; run = runs[next++]) {
        const { offset, members } = run
        const bytes = await readRun(file, run, runs.length > MOST_IN_BLOCKS, signal)
        for (const index of members) {
          const request = requests[index]
          if (request === undefined) continue
          const node = bytes.subarray(request.address - offset, request.address - offset + request.length)
          request.check(node)
          visit(node, index)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, runs.length) }, work))
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
  run: Run,
  isAlone: boolean,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const range = { offset: file.base + run.offset, length: run.length }
  if (!isAlone) return await file.source.read(range, { signal })
  return await bytesOfFeed(await file.source.feed(range, { signal }), run.length)
}

function runsOf(file: Hdf5File, requests: readonly NodeRequest[], places: readonly number[]): readonly Run[] {
  const order = places.toSorted((a, b) => (requests[a]?.address ?? 0) - (requests[b]?.address ?? 0))
  const runs: Run[] = []
  for (const index of order) {
    const request = requests[index]
    if (request === undefined) continue
    checkInside(file, request.address, request.length)
    const last = runs.at(-1)
    const end = request.address + request.length
    if (
      last !== undefined &&
      request.address <= last.offset + last.length + MOST_GAP &&
      end - last.offset <= MOST_RUN_BYTES
    ) {
      last.length = Math.max(last.length, end - last.offset)
      last.members.push(index)
    } else {
      runs.push({ offset: request.address, length: request.length, members: [index] })
    }
  }
  return runs
}
