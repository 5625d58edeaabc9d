/** Bytes that are longer are worth their copy only where they leave much of their memory unused. */
const LONG_BYTES = 2 ** 20
const MOST_TIMES_OWN = 1.25

/**
 * The same bytes in memory of their own, for what is kept long and weighed by its length, or handed to another thread: Node cuts
 * short buffers from a common 64 KiB, which stays as long as one of them does. Long bytes stay where they are if that is mostly theirs.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isOwn(bytes) ? bytes : new Uint8Array(bytes)
}

function isOwn(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  const { byteLength, buffer } = bytes
  if (!(buffer instanceof ArrayBuffer)) return false
  return byteLength > LONG_BYTES ? byteLength * MOST_TIMES_OWN >= buffer.byteLength : byteLength === buffer.byteLength
}
