import { bytesOfFeed } from '../../../bytes/feed.ts'
import { inParallel, READS_AT_ONCE } from '../../../in-parallel.ts'
import type { Hdf5File } from '../structures/hdf5-file.ts'
import type { NodeRequest, NodesBelow } from './locator.ts'

/** Bytes of the file between two addresses. */
export interface Sweep {
  readonly offset: number
  readonly length: number
}

/**
 * Reading a gap costs less than another request: measured with 32 connections and 50 ms a round trip, a request takes as
 * much time as some 64 kB of transfer; with the 64 of today's settings half of that, which has not been tried.
 */
export const MOST_GAP = 65_536
/** Fewer nodes than this are read in one round trip. */
const FEWEST_NODES = 65
const MOST_SWEEP_BYTES = 268_435_456
/** Nodes that wait for their parents. */
const MOST_KEPT_BYTES = 67_108_864
const PIECE_BYTES = 4_194_304
/**
 * Where the nodes below these lie so densely that reading them means reading all that is between, one pass over the file
 * brings both levels (and those below) in one round trip; otherwise undefined.
 */
export function sweepOf(file: Hdf5File, requests: readonly NodeRequest[], below: NodesBelow): Sweep | undefined {
  if (requests.length < FEWEST_NODES || below.fewest < 1) return undefined
  const addresses = requests.map(({ address }) => address)
  const first = addresses.reduce((least, address) => Math.min(least, address))
  const last = addresses.reduce((most, address) => Math.max(most, address))
  const apart = (last - first) / (requests.length - 1)
  if (apart / below.fewest > MOST_GAP) return undefined
  // Children lie around their parents.
  const offset = Math.max(first - Math.ceil(apart), 0)
  const end = Math.min(last + Math.ceil(apart) + below.length, file.end)
  return end - offset > MOST_SWEEP_BYTES ? undefined : { offset, length: end - offset }
}

/** Copies everything that begins like a node: a tree that points there will tell whether it is one. */
export async function sweepNodes(
  file: Hdf5File,
  sweep: Sweep,
  { signatures, length }: NodesBelow,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const nodes = new Map<number, Uint8Array>()
  const marks = signatures.map((signature) => Buffer.from(signature, 'latin1'))
  const most = Math.floor(MOST_KEPT_BYTES / length)
  const end = sweep.offset + sweep.length
  await inParallel(piecesOf(sweep), READS_AT_ONCE, async (offset) => {
    if (nodes.size >= most) return
    // A node that begins in this piece may end in the next one.
    const piece = await readPiece(file, offset, Math.min(PIECE_BYTES + length, end - offset), signal)
    for (const mark of marks) {
      for (let at = piece.indexOf(mark); at >= 0 && at < PIECE_BYTES; at = piece.indexOf(mark, at + 1)) {
        if (nodes.size >= most) return
        if (at + length <= piece.length) nodes.set(offset + at, Uint8Array.from(piece.subarray(at, at + length)))
      }
    }
  })
  return nodes
}

function* piecesOf({ offset, length }: Sweep): Generator<number> {
  for (let at = offset; at < offset + length; at += PIECE_BYTES) yield at
}

/** Past the blocks of the source: they would only be pushed out of its cache. */
async function readPiece(
  file: Hdf5File,
  address: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const range = { offset: file.base + address, length }
  const bytes = await bytesOfFeed(await file.source.feed(range, { signal }), length)
  return Buffer.from(bytes.buffer, bytes.byteOffset, length)
}
