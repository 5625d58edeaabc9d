import { setImmediate } from 'node:timers/promises'
import { type ByteRange, endOf } from '../../../src/bytes/byte-range.ts'
import { feedOf } from '../../../src/bytes/feed.ts'
import { malformed, VirtualZarrError } from '../../../src/errors.ts'
import { DEFAULT_PARSE_OPTIONS, type ParseContext } from '../../../src/formats/format.ts'
import type { Diagnostic } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { ALONE } from '../../helpers/parse-context.ts'

/** A file in memory that remembers what was read of it, and in how many dependent rounds. */
export interface CountingSource extends Source {
  readonly reads: ByteRange[]
  /** Reads that were asked for together are one round. */
  rounds(): number
  reset(): void
}

export function countingSource(bytes: Uint8Array, url = 'memory:/folder/file.h5'): CountingSource {
  let reads: ByteRange[] = []
  let rounds = 0
  let pending = 0
  const read = async (range: ByteRange): Promise<Uint8Array> => {
    if (endOf(range) > bytes.length) throw malformed('outside of the file', { offset: range.offset })
    reads.push(range)
    if (pending === 0) rounds++
    pending++
    // A round trip: whatever is asked for meanwhile did not need this answer.
    await setImmediate()
    await setImmediate()
    pending--
    return bytes.subarray(range.offset, endOf(range))
  }
  return {
    url,
    size: bytes.length,
    validator: '"1"',
    get reads() {
      return reads
    },
    rounds: () => rounds,
    reset: () => {
      reads = []
      rounds = 0
    },
    read,
    feed: async (range) => feedOf(await read(range)),
  }
}

/** A parse context that keeps its diagnostics; `files` are those that the source may refer to. */
export function parseContext(
  sentinel: 'auto' | 'error' = 'auto',
  files: (url: string) => Uint8Array | undefined = () => undefined,
) {
  const diagnostics: Diagnostic[] = []
  const references: string[] = ['the source itself']
  const open = async (url: string): Promise<Source> => {
    const bytes = files(url)
    if (bytes === undefined) throw new VirtualZarrError('source-not-found', 'there is no such file', { url })
    return countingSource(bytes, url)
  }
  const context: ParseContext = {
    ...ALONE,
    options: { ...DEFAULT_PARSE_OPTIONS, sentinel },
    open,
    list: () => Promise.reject(malformed('nothing is listed')),
    reference: (url) => (references.includes(url) ? references.indexOf(url) : references.push(url) - 1),
    warn: (diagnostic) => diagnostics.push(diagnostic),
  }
  /** The source that a chunk reference names. */
  const sourceAt = async (index: number, own: Source) => (index === 0 ? own : await open(references[index] ?? ''))
  return { context, diagnostics, references, sourceAt }
}
