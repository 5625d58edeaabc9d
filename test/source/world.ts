import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { TestContext } from 'node:test'
import { type Feed, partsOf } from '../../src/bytes/feed.ts'
import { openSources, type SourcesInput } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from '../../src/source/settings.ts'
import type { Sources } from '../../src/source/source.ts'
import { busyness } from '../helpers/busyness.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'

/** A healthy origin, in the same process as its client, is as late as that on a busy machine. */
export const BUSY = Math.ceil(busyness(availableParallelism()))

/** Deadlines short enough for tests. */
export const QUICK: SourceSettings = {
  ...DEFAULT_SOURCE_SETTINGS,
  deadlines: {
    connectMs: 500 * BUSY,
    headersMs: 300 * BUSY,
    slowHeadersMs: 600 * BUSY,
    bodyWindowMs: 200 * BUSY,
    minBytesPerSecond: 1_000,
    stalledMs: 800 * BUSY,
    totalMs: 4_000 * BUSY,
  },
  retry: { attempts: 3, baseDelayMs: 5 },
}

/** An origin, and sources that may read it; both are closed after the test. */
export async function openWorld(
  t: TestContext,
  settings: Partial<SourceSettings> = {},
  world: SourcesInput = {},
): Promise<{ readonly origin: Origin; readonly sources: Sources }> {
  const origin = await startOrigin()
  const sources = openSources({ ...QUICK, allow: [origin.base], ...settings }, world)
  t.after(async () => {
    await sources.close()
    await origin.close()
  })
  return { origin, sources }
}

/** Bytes that differ at each position, and with the seed. */
export function patterned(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed >>> 0
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** All bytes of a feed. */
export async function drain(feed: Feed): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of partsOf(feed)) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}

/** What `assert.rejects` takes: a failure of that code. */
export function failure(code: string): { readonly name: string; readonly code: string } {
  return { name: 'VirtualZarrError', code }
}
