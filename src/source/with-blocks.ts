import { LRUCache } from 'lru-cache'
import type { ByteRange } from '../bytes/byte-range.ts'
import { BlockFetch, type PendingBlock } from './block-fetch.ts'
import { waitFor } from './http/retry.ts'
import type { ReadOptions, Source } from './source.ts'
import { checkInside } from './source.ts'

/** How blocks are kept and fetched. */
export interface BlockSettings {
  readonly blockBytes: number
  readonly cacheBytes: number
  /** Most that is read ahead of a sequential reader. */
  readonly aheadBytes: number
}

export const PARSING_BLOCKS: BlockSettings = {
  blockBytes: 64 * 1024,
  cacheBytes: 16 * 1024 * 1024,
  aheadBytes: 1024 * 1024,
}

/** A source read through aligned blocks: small and neighbouring reads become few, concurrent ones share their fetches. */
export interface BlockSource extends Source {
  /** Keeps at most so many bytes from now on, and reads ahead no more. */
  shrink(cacheBytes: number): void
  /** Bytes that need no read, since their blocks are here; undefined where some is not. */
  kept(range: ByteRange): Uint8Array | undefined
}

/** Bytes in blocks, of one source or of several that are counted together. */
export interface HeldBytes {
  bytes: number
}

type Blocks = LRUCache<number, Uint8Array>

/** Puts blocks in front of a source. Long reads go past them: they would only push the others out. */
export function withBlocks(
  inner: Source,
  settings: BlockSettings = PARSING_BLOCKS,
  held: HeldBytes = { bytes: 0 },
): BlockSource {
  const { blockBytes } = settings
  let blocks = emptyCache(settings.cacheBytes, held)
  let longest = settings.cacheBytes / 4
  const fetches = new BlockFetch({
    size: inner.size,
    blockBytes,
    aheadBytes: settings.aheadBytes,
    read: (range, signal) => inner.read(range, { signal }),
    isKept: (index) => blocks.has(index),
    keep: (index, block) => void blocks.set(index, block),
  })

  const areKept = (first: number, last: number) => {
    for (let index = first; index <= last; index++) if (!blocks.has(index)) return false
    return true
  }

  async function read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    options.signal?.throwIfAborted()
    checkInside(range, inner)
    if (range.length === 0) return new Uint8Array(0)
    if (range.length > longest) return inner.read(range, options)
    const first = Math.floor(range.offset / blockBytes)
    const last = Math.floor((range.offset + range.length - 1) / blockBytes)
    if (options.isLone === true && !areKept(first, last)) return inner.read(range, options)
    const found: (Uint8Array | Promise<Uint8Array>)[] = []
    for (let index = first; index <= last; index++) {
      found.push(blocks.get(index) ?? joined(fetches.block(index), options.signal))
    }
    return cut(await Promise.all(found), range.offset - first * blockBytes, range.length)
  }

  function kept({ offset, length }: ByteRange): Uint8Array | undefined {
    const first = Math.floor(offset / blockBytes)
    const last = Math.floor((offset + length - 1) / blockBytes)
    if (length === 0 || length > longest || !areKept(first, last)) return undefined
    const found: Uint8Array[] = []
    for (let index = first; index <= last; index++) found.push(blocks.get(index) ?? new Uint8Array(0))
    return cut(found, offset - first * blockBytes, length)
  }

  return {
    url: inner.url,
    size: inner.size,
    validator: inner.validator,
    settle: () => inner.settle?.(),
    read,
    kept,
    feed: (range, options) => inner.feed(range, options),
    shrink: (cacheBytes) => {
      blocks = shrunk(blocks, emptyCache(cacheBytes, held))
      longest = cacheBytes / 4
      fetches.stopReadingAhead()
    },
  }
}

function emptyCache(bytes: number, held: HeldBytes): Blocks {
  return new LRUCache({
    maxSize: Math.max(bytes, 1),
    sizeCalculation: (block) => Math.max(block.length, 1),
    onInsert: (block) => {
      held.bytes += block.length
    },
    dispose: (block) => {
      held.bytes -= block.length
    },
  })
}

/** What was used last of some blocks, as much as there is room for. */
function shrunk(blocks: Blocks, smaller: Blocks): Blocks {
  for (const [index, block] of [...blocks.entries()].reverse()) smaller.set(index, block)
  blocks.clear()
  return smaller
}

async function joined(block: PendingBlock, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const leave = block.join()
  try {
    return await waitFor(block.promise, signal)
  } finally {
    leave()
  }
}

/** A range out of consecutive blocks; a view where one block holds it all. */
function cut(blocks: readonly Uint8Array[], offset: number, length: number): Uint8Array {
  const [only] = blocks
  if (blocks.length === 1 && only !== undefined) return only.subarray(offset, offset + length)
  const bytes = new Uint8Array(length)
  let at = -offset
  for (const block of blocks) {
    if (at < 0) bytes.set(block.subarray(-at, -at + length), 0)
    else bytes.set(block.subarray(0, length - at), at)
    at += block.length
  }
  return bytes
}
