import { VirtualZarrError } from '../errors.ts'

/** Memory for chunks that are being made, all together: small files can ask for large ones. */
export const MAKING_BYTES = 3 * 2 ** 28

/** Memory for parts of indexes while they are read. Who has of it waits for nobody who wants of it. */
export const INDEX_BYTES = 2 ** 28

/** Memory that is given out to those who make something in it: first come, first served. */
export interface Room {
  /** Runs work that holds about so many bytes; it waits while the others hold too many. */
  within<T>(bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** The same for work that finds out on its way; what this returns gives the room back. */
  enter(bytes: number, signal?: AbortSignal): (() => void) | Promise<() => void>
  /** Takes room for what is there already, without waiting; what this returns gives it back. */
  hold(bytes: number): () => void
}

interface Waiting {
  readonly bytes: number
  readonly go: () => void
}

/** Room for so many bytes; what alone needs more has it to itself. */
export function roomOf(total: number): Room {
  let left = total
  const waiting: Waiting[] = []
  function next(): void {
    for (let first = waiting[0]; first !== undefined && first.bytes <= left; first = waiting[0]) {
      waiting.shift()
      left -= first.bytes
      first.go()
    }
  }
  function drop(one: Waiting): boolean {
    const place = waiting.indexOf(one)
    if (place !== -1) waiting.splice(place, 1)
    return place !== -1
  }
  function enter(wanted: number, signal?: AbortSignal): (() => void) | Promise<() => void> {
    const bytes = Math.min(wanted, total)
    if (waiting.length > 0 || bytes > left) return waitFor(bytes, signal)
    left -= bytes
    return leaving(bytes)
  }
  async function waitFor(bytes: number, signal: AbortSignal | undefined): Promise<() => void> {
    await new Promise<void>((go, refuse) => {
      const one = { bytes, go }
      waiting.push(one)
      signal?.addEventListener('abort', () => {
        if (drop(one)) refuse(tooBusy())
        next()
      })
    })
    return leaving(bytes)
  }
  function leaving(bytes: number): () => void {
    return () => {
      left += bytes
      // Not at once: what was made may be held from now on.
      setImmediate(next)
    }
  }
  return {
    enter,
    hold(bytes) {
      left -= bytes
      return leaving(bytes)
    },
    async within(bytes, work, signal) {
      const entered = enter(bytes, signal)
      const leave = entered instanceof Promise ? await entered : entered
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function tooBusy(): Error {
  return new VirtualZarrError('overloaded', 'the server is busy with other large sources', { retryAfterSeconds: 5 })
}
