import { LRUCache } from 'lru-cache'
import { ownBytes } from '../bytes/own.ts'
import { waitFor } from '../source/http/retry.ts'

/** Work that somebody waits for. */
interface Making {
  readonly bytes: Promise<Uint8Array>
  readonly abandoned: AbortController
  waiting: number
}

/** Bytes that cost work to make, weighed in bytes: made once for all who ask at a time, and given up when all of them have left. */
export class MadeBytes {
  readonly #kept: LRUCache<string, Uint8Array>
  readonly #making = new Map<string, Making>()

  constructor(maxBytes: number, keptMilliseconds = 0) {
    this.#kept = new LRUCache<string, Uint8Array>({
      maxSize: maxBytes,
      ttl: keptMilliseconds,
      // What is kept for a short time must not stay until something else takes its room.
      ttlAutopurge: keptMilliseconds > 0,
      sizeCalculation: ({ buffer }) => buffer.byteLength + 200,
    })
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  async get(
    key: string,
    make: (signal: AbortSignal) => Promise<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const making = this.#making.get(key) ?? this.#begin(key, make)
    making.waiting++
    try {
      return await waitFor(making.bytes, signal)
    } finally {
      making.waiting--
      if (making.waiting === 0) this.#abandon(key, making)
    }
  }

  #begin(key: string, make: (signal: AbortSignal) => Promise<Uint8Array>): Making {
    const abandoned = new AbortController()
    const making: Making = { bytes: this.#made(key, make, abandoned.signal), abandoned, waiting: 0 }
    this.#making.set(key, making)
    const end = () => void this.#forget(key, making)
    making.bytes.then(end, end)
    return making
  }

  async #made(
    key: string,
    make: (signal: AbortSignal) => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const bytes = ownBytes(await make(signal))
    this.#kept.set(key, bytes)
    return bytes
  }

  /** Who asks from now on begins anew. */
  #abandon(key: string, making: Making): void {
    if (this.#forget(key, making)) making.abandoned.abort()
  }

  /** Whether it was still under way. */
  #forget(key: string, making: Making): boolean {
    return this.#making.get(key) === making && this.#making.delete(key)
  }
}
