/** Most bytes that one chunk may decode to: some times as many are held while it is composed. */
export const MAX_DECODED_BYTES = 2 ** 28

/** What is held while a chunk is decoded and encoded again, in multiples of what it decodes to. */
export const HELD_FOR_DECODED = 3

/** Most stored chunks that one chunk is composed of. */
export const MAX_CHUNKS_COMPOSED = 100_000
