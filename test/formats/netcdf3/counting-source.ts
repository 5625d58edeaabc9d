import { Readable } from 'node:stream'
import { type ByteRange, endOf } from '../../../src/bytes/byte-range.ts'
import { malformed } from '../../../src/errors.ts'
import { DEFAULT_PARSE_OPTIONS, type ParseContext } from '../../../src/formats/format.ts'
import type { Diagnostic } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'

/** A file in memory that remembers what was read of it. */
export interface CountingSource extends Source {
  readonly reads: ByteRange[]
}

/** `size` may claim more bytes than there are: a large file of which only the beginning is looked at. */
export function countingSource(bytes: Uint8Array, size: number = bytes.length): CountingSource {
  const reads: ByteRange[] = []
  const read = async (range: ByteRange): Promise<Uint8Array> => {
    if (endOf(range) > size) throw malformed('outside of the file')
    reads.push(range)
    const answer = new Uint8Array(range.length)
    answer.set(bytes.subarray(range.offset, endOf(range)))
    return answer
  }
  return {
    url: 'memory:file.nc',
    size,
    validator: '"1"',
    reads,
    read,
    stream: async (range) => Readable.from([await read(range)]),
  }
}

/** A parse context that keeps its diagnostics. */
export function parseContext(sentinel: 'auto' | 'warn' | 'error' = 'auto') {
  const diagnostics: Diagnostic[] = []
  const context: ParseContext = {
    options: { ...DEFAULT_PARSE_OPTIONS, sentinel },
    open: () => Promise.reject(new Error('nothing else is opened')),
    list: () => Promise.reject(new Error('nothing is listed')),
    reference: () => {
      throw new Error('nothing else is referred to')
    },
    warn: (diagnostic) => diagnostics.push(diagnostic),
  }
  return { context, diagnostics }
}
