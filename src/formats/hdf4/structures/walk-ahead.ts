import { isVirtualZarrError } from '../../../errors.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'
import { type Block, DESCRIPTOR_BYTES, HEADER_BYTES, readBlock } from './descriptor-block.ts'
import { TAG } from './tags.ts'

/** What the blocks so far say of those to come. */
export interface Walked {
  /** Where the next block is. */
  readonly next: number
  /** Descriptors in a block. */
  readonly count: number
  /** From block to block, on average and at most. */
  readonly usual: number
  readonly longest: number
}

const MOST_STRETCHES = 24
/** Blocks of one stretch, at least: else the search for its first one does not pay. */
const LEAST_BLOCKS = 8
/** What is searched in all. */
const MOST_SEARCHED_BYTES = 12_582_912
const MOST_BLOCKS = 20_000

/**
 * Blocks of the rest of a file by where they begin, walked to from many places at once: one after the other, each would cost a
 * request's time. What this finds counts only where the list itself leads to it: bytes of data may look like a block.
 */
export async function walkAhead(
  source: Source,
  walked: Walked,
  options: ReadOptions,
): Promise<ReadonlyMap<number, Block>> {
  const known = new Map<number, Block>()
  const rest = source.size - walked.next
  const search = 2 * walked.longest + HEADER_BYTES + walked.count * DESCRIPTOR_BYTES
  const stretches = Math.min(
    MOST_STRETCHES,
    Math.floor(rest / (walked.usual * LEAST_BLOCKS)),
    Math.floor(MOST_SEARCHED_BYTES / search),
  )
  if (stretches < 2 || walked.count === 0) return known
  const length = Math.ceil(rest / stretches)
  await Promise.all(
    Array.from({ length: stretches }, async (_, stretch) => {
      const start = walked.next + stretch * length
      const first =
        stretch === 0 ? start : await findBlock(source, start, Math.min(search, source.size - start), walked, options)
      if (first !== undefined) await walk(source, first, start + length, known, options)
    }),
  )
  return known
}

async function walk(
  source: Source,
  first: number,
  end: number,
  known: Map<number, Block>,
  options: ReadOptions,
): Promise<void> {
  for (let at = first; at !== 0 && at < end && !known.has(at) && known.size < MOST_BLOCKS; ) {
    const block = await blockAt(source, at, options)
    if (block === undefined) return
    known.set(at, block)
    // The list only goes forward, as far as a stretch is concerned.
    at = block.next > at ? block.next : 0
  }
}

/** Undefined where there is none. */
async function blockAt(source: Source, offset: number, options: ReadOptions): Promise<Block | undefined> {
  try {
    return await readBlock(source, offset, options)
  } catch (error) {
    if (isVirtualZarrError(error, 'malformed-source')) return undefined
    throw error
  }
}

/** The first place that looks like a block: as many descriptors as the others, and each of them within the file. */
async function findBlock(
  source: Source,
  start: number,
  length: number,
  { count }: Walked,
  options: ReadOptions,
): Promise<number | undefined> {
  const bytes = await source.read({ offset: start, length }, options)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const needed = HEADER_BYTES + count * DESCRIPTOR_BYTES
  for (let at = 0; at + needed <= bytes.length; at++) {
    if (view.getUint16(at) === count && isBlock(view, at, count, source.size, start + at)) return start + at
  }
  return undefined
}

function isBlock(view: DataView, at: number, count: number, size: number, offset: number): boolean {
  const next = view.getUint32(at + 2)
  if (next !== 0 && (next <= offset || next >= size)) return false
  for (let i = 0; i < count; i++) {
    const descriptor = at + HEADER_BYTES + i * DESCRIPTOR_BYTES
    const tag = view.getUint16(descriptor)
    if (tag === 0) return false
    if (tag === TAG.null) continue
    const [start, length] = [view.getUint32(descriptor + 4), view.getUint32(descriptor + 8)]
    const isUnwritten = start === 0xffff_ffff
    if (!isUnwritten && start + length > size) return false
  }
  return true
}
