// Does the shortest tasks on the main thread, where they are over before they would have reached another one: a chunk of 16 KiB takes 0.3 ms instead of 0.8.
// `npm run bench views` shows many small chunks.
import { packedLength } from '../codecs/elements.ts'
import { recordField } from '../codecs/own/field.ts'
import { tiffRows } from '../codecs/tiff/rows.ts'
import type { Coding } from '../compose/coding.ts'
import type { RecodeTask } from './delivery.ts'

/** Codecs that do a bounded amount of simple work for each byte. */
const SIMPLE = new Set([
  'bytes',
  tiffRows.name,
  'transpose',
  recordField.name,
  'gzip',
  'zstd',
  'blosc',
  'crc32c',
  'numcodecs.zlib',
  'numcodecs.shuffle',
  'numcodecs.fletcher32',
])

/** Sending a task to a thread and back costs 0.1 to 0.2 ms; copying a megabyte (a border chunk that is filled up) costs less. */
const MAX_RECODED_BYTES = 2 ** 14
const MAX_COPIED_BYTES = 2 ** 20

/** Whether a task is done sooner than it is sent to a thread. */
export function isTiny(task: RecodeTask): boolean {
  if (task.kind === 'peel') {
    return task.length !== undefined && task.length <= MAX_RECODED_BYTES && areSimple(task.coding)
  }
  const { chunks, target } = task
  const length = packedLength(target.layout)
  const isCopy = [target, ...chunks.map(({ coding }) => coding)].every(
    ({ encoding }) => encoding.length === 1 && encoding[0]?.name === 'bytes',
  )
  const most = isCopy ? MAX_COPIED_BYTES : MAX_RECODED_BYTES
  if (length === undefined || length > most || chunks.length > 16) return false
  return chunks.every(({ stored, coding }) => stored.length <= most && areSimple(coding))
}

function areSimple({ encoding }: Coding): boolean {
  return encoding.every(({ name }) => SIMPLE.has(name))
}
