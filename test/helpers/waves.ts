import { notFound } from '../../src/source/http/failures.ts'
import { memorySource } from '../../src/source/memory.ts'
import { forParsing, type ParsingSource } from '../../src/source/parsing.ts'
import type { Source } from '../../src/source/source.ts'
import { parseContext } from './parse-context.ts'

/** A round is over when nothing was asked for in so many turns of the event loop: however slow the machine is. */
const QUIET_TURNS = 40

/** What parsing asked for, and how many of its reads had to wait for others. */
export interface Waves {
  readonly counted: { requests: number; bytes: number; rounds: number }
  readonly parsing: ParsingSource
  /** Finds the documents beside the file: opening one is a read, what is in it then is there. */
  readonly beside: ReturnType<typeof parseContext>
}

/** A file behind a slow line, with the layers of parsing over it. */
export function waves(file: Source, documents: Readonly<Record<string, Uint8Array>> = {}): Waves {
  const counted = { requests: 0, bytes: 0, rounds: 0 }
  let wave: Promise<void> | undefined
  let quiet = 0
  const nextWave = async () => {
    for (quiet = 0; quiet < QUIET_TURNS; quiet++) await new Promise(setImmediate)
    counted.rounds++
    wave = undefined
  }
  const request = async (length: number) => {
    counted.requests++
    counted.bytes += length
    quiet = 0
    wave ??= nextWave()
    await wave
  }
  const source: Source = {
    ...file,
    read: async (range, options) => {
      await request(range.length)
      return await file.read(range, options)
    },
  }
  const beside = parseContext()
  const open = async (url: string) => {
    const bytes = documents[url]
    await request(bytes?.length ?? 0)
    if (bytes === undefined) throw notFound('there is no such document', url)
    return memorySource(url, bytes)
  }
  return {
    counted,
    parsing: forParsing(source, { requests: 10_000, bytes: 2 ** 30 }),
    beside: { ...beside, context: { ...beside.context, open } },
  }
}
