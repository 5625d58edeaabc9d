import { Readable } from 'node:stream'

/** Bytes at hand as a stream. */
export function streamOf(bytes: Uint8Array): Readable {
  let isRead = bytes.length === 0
  return new Readable({
    read() {
      if (!isRead) this.push(bytes)
      isRead = true
      this.push(null)
    },
  })
}
