/**
 * The same bytes in memory of their own, for what is kept long and weighed by its length: Node cuts short buffers from a common
 * 64 KiB, which stays as long as one of them does.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}
