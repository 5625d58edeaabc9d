import { packedLength } from '../codecs/elements.ts'
import type { RecodeTask } from './delivery.ts'

/** Codecs that do a bounded amount of simple work for each byte. */
const CHEAP = new Set([
  'bytes',
  'transpose',
  'vlen-utf8',
  'vz.text',
  'vz.field',
  'gzip',
  'zstd',
  'blosc',
  'numcodecs.zlib',
  'numcodecs.shuffle',
  'numcodecs.fletcher32',
  'crc32c',
])

/** Measured: a task costs 0.1 ms to send to a thread and back, about what it takes to recode this many bytes here. */
const TINY_BYTES = 2 ** 14

/** Whether a task is done sooner than it is sent to a thread. */
export function isTiny(task: RecodeTask): boolean {
  if (task.kind === 'peel') {
    return (task.length ?? Number.POSITIVE_INFINITY) <= TINY_BYTES && task.codecs.every(({ name }) => CHEAP.has(name))
  }
  const { chunkShape, dataType, pieces } = task
  const length = packedLength({ shape: chunkShape, dataType }) ?? Number.POSITIVE_INFINITY
  return (
    length <= TINY_BYTES &&
    pieces.length <= 4 &&
    pieces.every(({ stored, encoding }) => stored.length <= TINY_BYTES && encoding.every(({ name }) => CHEAP.has(name)))
  )
}
