import { partsOf } from '../../bytes/feed.ts'
import { type ErrorContext, overLimit } from '../../errors.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import { turn } from '../../turns.ts'
import { JsonScanner, WindowEnded } from './json-scanner.ts'

/** What opening brought along, so that a small document costs no further request. */
const HEAD_BYTES = 65_536
/** Bytes scanned between two chances for other requests: some milliseconds of work. */
const WINDOW_BYTES = 1_048_576
/** The longest member of a document: an inline chunk, the attributes of an array. */
const MOST_MEMBER_BYTES = 64 * 2 ** 20

/** A document under way, seen through a window that moves: its head and one stream of the rest. */
export class DocumentWindow {
  readonly scanner: JsonScanner
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #context: ErrorContext

  constructor(source: Source, options: ReadOptions, context: ErrorContext) {
    this.scanner = new JsonScanner(context)
    this.#context = context
    this.#pieces = piecesOf(source, options)
  }

  /** Scans something that may reach over the window's end: it is then scanned again in a wider one. */
  async scan<T>(read: (scanner: JsonScanner) => T): Promise<T> {
    while (true) {
      const start = this.scanner.position
      try {
        return read(this.scanner)
      } catch (error) {
        if (!(error instanceof WindowEnded)) throw error
        this.scanner.position = start
        await this.#widen()
      }
    }
  }

  /** The same member after member until `read` says that it was the last, with no promise a member. */
  async scanEach(read: (scanner: JsonScanner) => boolean): Promise<void> {
    await this.scan((scanner) => {
      while (true) {
        const start = scanner.position
        try {
          if (!read(scanner)) return
        } catch (error) {
          // What was read before stays read: only the member that was cut is scanned again.
          if (error instanceof WindowEnded) this.#rewound = start
          throw error
        }
      }
    })
  }

  #rewound: number | undefined

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }

  /** Doubles what is left of the window, so that a long member is copied a bounded number of times. */
  async #widen(): Promise<void> {
    const { scanner } = this
    const from = this.#rewound ?? scanner.position
    this.#rewound = undefined
    const rest = scanner.bytes.subarray(from)
    if (rest.length > MOST_MEMBER_BYTES) {
      throw overLimit(`one reference of more than ${MOST_MEMBER_BYTES} bytes`, {
        ...this.#context,
        offset: scanner.origin + from,
      })
    }
    const parts = [rest]
    const wanted = Math.max(WINDOW_BYTES, rest.length)
    for (let got = 0; got < wanted; ) {
      const next = await this.#pieces.next()
      if (next.done === true) {
        scanner.isLast = true
        break
      }
      parts.push(next.value)
      got += next.value.length
    }
    await turn()
    scanner.origin += from
    scanner.bytes = Buffer.concat(parts)
    scanner.position = 0
  }
}

async function* piecesOf(source: Source, options: ReadOptions): AsyncGenerator<Uint8Array> {
  const head = Math.min(HEAD_BYTES, source.size)
  yield withoutMark(await source.read({ offset: 0, length: head }, options))
  if (head === source.size) return
  const rest = await source.feed({ offset: head, length: source.size - head }, options)
  for await (const piece of partsOf(rest)) {
    for (let at = 0; at < piece.length; at += WINDOW_BYTES) yield piece.subarray(at, at + WINDOW_BYTES)
  }
}

/** RFC 8259, section 8.1: a byte order mark may be ignored. Blanks keep the positions what they are. */
function withoutMark(head: Uint8Array): Uint8Array {
  if (head[0] !== 0xef || head[1] !== 0xbb || head[2] !== 0xbf) return head
  const blanked = head.slice()
  blanked.fill(0x20, 0, 3)
  return blanked
}
