import type { DeliveryWorld } from '../../delivery/delivery.ts'
import { VirtualZarrError } from '../../errors.ts'
import type { HeadBytes } from '../../source/parsing.ts'
import type { Source } from '../../source/source.ts'
import type { OpenedPart } from './join-world.ts'

/** The way to values that are compared when a source is opened: what was read with its metadata is not asked for again. */
export function keptWorld({ parsed, world }: OpenedPart): DeliveryWorld {
  const { kept } = parsed
  if (kept === undefined) return world
  return {
    ...world,
    async source(index, signal, key) {
      const source = await world.source(index, signal, key)
      return index === 0 && key === undefined ? withKept(source, kept.read) : source
    },
  }
}

/** The same, but what was not read with the metadata is an error: nothing is asked of any origin. */
export function atHandWorld({ parsed, world }: OpenedPart): DeliveryWorld {
  const notAtHand = () => new VirtualZarrError('limit-exceeded', 'it was not read with the metadata')
  return {
    ...world,
    async source(index, signal, key) {
      if (index !== 0 || key !== undefined || parsed.kept === undefined) throw notAtHand()
      const { read } = parsed.kept
      return {
        ...withKept(await world.source(index, signal, key), read),
        read: async (range) => {
          const bytes = read(range)
          if (bytes === undefined) throw notAtHand()
          return bytes
        },
        feed: () => Promise.reject(notAtHand()),
      }
    },
    object: () => Promise.reject(notAtHand()),
  }
}

function withKept(inner: Source, kept: HeadBytes['read']): Source {
  const { url, size, validator } = inner
  return {
    url,
    size,
    validator,
    settle: () => inner.settle?.(),
    read: async (range, options) => kept(range) ?? (await inner.read(range, options)),
    feed: (range, options) => inner.feed(range, options),
  }
}
