import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 judge buffers together with the rest of the heap, as its later versions do by themselves. V8 13 (Node 24) instead
 * marks the whole heap again for each 64 MB of buffers that came and went: at a few hundred MB/s of chunks that is a
 * quarter of the server's time. What bounds memory still is the limit of the heap (`--max-old-space-size`).
 */
export function countBuffersAsHeap(v8Version: string): void {
  if (v8Version.startsWith('13.')) setFlagsFromString('--external-memory-accounted-in-global-limit')
}
