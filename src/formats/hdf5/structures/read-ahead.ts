import { endOf } from '../../../bytes/byte-range.ts'
import { recipe } from '../../../model/recipe.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'

/** Places that lie apart are counted by blocks of this size: what one request of the parsing source brings. */
const BLOCK_BYTES = 65_536
/** So many blocks apart say that the metadata is scattered over the file: there will be more. */
const SCATTERED = 6
/** Half of what the parsing source keeps: a larger file is read as it is asked for. */
const MOST_BYTES = 12_582_912
const PIECE_BYTES = 1_048_576

/** A source that, while it is parsed, reads a small file whole as soon as its metadata turns out to be scattered. */
export interface ReadAhead {
  readonly source: Source
  /** The metadata is read: what comes now are single nodes of indexes. */
  stop(): void
}

/** Made again, it is the source itself: nobody parses any more. */
export const unhurried = recipe('hdf5.read-ahead', (inner: Source): Source => inner)

/**
 * Old files have the headers of their objects between the data, and each level of groups costs a round trip. Where the file
 * is small, reading it whole at the first sign of that costs less than one of them.
 */
export function withReadAhead(inner: Source, options: ReadOptions): ReadAhead {
  const blocks = new Set<number>()
  let isActive = inner.size > BLOCK_BYTES && inner.size <= MOST_BYTES

  const readWhole = (): void => {
    isActive = false
    for (let offset = 0; offset < inner.size; offset += PIECE_BYTES) {
      const length = Math.min(PIECE_BYTES, inner.size - offset)
      // A failure will be that of whoever needs these bytes.
      inner.read({ offset, length }, options).catch(() => undefined)
    }
  }

  const source: Source = {
    url: inner.url,
    size: inner.size,
    validator: inner.validator,
    settle: () => inner.settle?.(),
    feed: (range, readOptions) => inner.feed(range, readOptions),
    read(range, readOptions) {
      if (isActive) {
        for (let block = Math.floor(range.offset / BLOCK_BYTES); block * BLOCK_BYTES < endOf(range); block++)
          blocks.add(block)
        if (blocks.size > SCATTERED) readWhole()
      }
      return inner.read(range, readOptions)
    },
  }
  return {
    source: unhurried.mark(source, inner),
    stop: () => {
      isActive = false
    },
  }
}
