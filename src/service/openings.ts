import { INDEX_BYTES, roomOf } from './room.ts'

/** What opening a source may read before it is a long one, which takes many times that in memory. */
const SHORT_BYTES = 2 ** 20
/** Long ones that run at the same time: each may take some hundred megabytes. */
const MOST_LONG = 3

/** One source that is being opened. */
export interface Opening {
  /** Told before more bytes are read: a long opening waits until there is a place for it. */
  read(bytes: number): Promise<void> | undefined
  end(): void
}

/** Sources that are being opened: the short ones as they come, of the long ones a few at a time. */
export class Openings {
  /** For parts of indexes, which are read when chunks first ask for them. */
  readonly indexes = roomOf(INDEX_BYTES)
  readonly #long = roomOf(MOST_LONG)

  begin(signal: AbortSignal): Opening {
    let bytes = 0
    let place: Promise<() => void> | undefined
    return {
      read: (length) => {
        bytes += length
        if (bytes <= SHORT_BYTES) return undefined
        place ??= Promise.resolve(this.#long.enter(1, signal))
        return place.then(() => undefined)
      },
      end: () => {
        // One that never got its place has none to leave.
        place?.then((leave) => leave()).catch(() => undefined)
        place = undefined
        bytes = 0
      },
    }
  }
}
