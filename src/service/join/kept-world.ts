import type { DeliveryWorld } from '../../delivery/delivery.ts'
import type { Source } from '../../source/source.ts'
import type { KeptBytes } from '../kept-bytes.ts'
import type { OpenedPart } from './join-world.ts'

/** The way to values that are compared when a source is opened: what was read with its metadata is not asked for again. */
export function keptWorld({ parsed, world }: OpenedPart): DeliveryWorld {
  const { kept } = parsed
  if (kept === undefined) return world
  return {
    ...world,
    async source(index, signal, key) {
      const source = await world.source(index, signal, key)
      return index === 0 && key === undefined ? withKept(source, kept) : source
    },
  }
}

function withKept(inner: Source, kept: KeptBytes): Source {
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
