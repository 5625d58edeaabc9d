import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { Feed } from '../bytes/feed.ts'

/** How a file is compressed as a whole. */
export type FileCoding = 'gzip' | 'zstd'

/** The inflated bytes of a feed as they come; leaving the loop ends the request. */
export async function* inflatedParts(compressed: Feed, coding: FileCoding): AsyncGenerator<Uint8Array> {
  const inflater = coding === 'gzip' ? createGunzip() : createZstdDecompress()
  inflater.on('drain', () => compressed.resume())
  compressed.start({
    data: (bytes) => {
      if (!inflater.write(bytes)) compressed.pause()
    },
    end: () => void inflater.end(),
    fail: (error) => void inflater.destroy(error),
  })
  try {
    yield* inflater as AsyncIterable<Uint8Array>
  } finally {
    compressed.stop()
  }
}

/** Whether it is the content that is damaged. */
export function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_)/.test(String(error.code))
}
