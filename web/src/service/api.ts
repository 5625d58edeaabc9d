import { ask } from './ask.ts'
import { droppedName, inspectDropped } from './dropped.ts'
import { SERVICE } from './place.ts'
import { problemOf } from './problem.ts'
import type { ChunkSurvey, Dataset, Inspection, Progress } from './types.ts'

/** The URL that any client is given, without the final slash. */
export function storeUrl(segment: string): string {
  return new URL(`zarr/${segment}`, SERVICE).href
}

async function json(path: string, signal?: AbortSignal): Promise<{ status: number; body: unknown }> {
  const answer = await ask(new URL(path, SERVICE), signal === undefined ? {} : { signal })
  if (!answer.ok) throw await problemOf(answer)
  return { status: answer.status, body: await answer.json() }
}

export async function datasets(signal?: AbortSignal): Promise<readonly Dataset[]> {
  const { body } = await json('datasets', signal)
  return (body as { readonly datasets: readonly Dataset[] }).datasets
}

/** What a store holds. A join answers how far it is until all that it needs is read. */
export async function inspect(
  segment: string,
  signal: AbortSignal,
  tell: (progress: Progress) => void = () => undefined,
): Promise<Inspection> {
  if (droppedName(segment) !== undefined) return await inspectDropped(segment)
  for (;;) {
    const { status, body } = await json(`inspect?store=${encodeURIComponent(segment)}`, signal)
    if (status !== 202) return body as Inspection
    tell(body as Progress)
  }
}

/** How some chunks of an array are stored. */
export async function surveyChunks(
  segment: string,
  array: string,
  first: number,
  signal: AbortSignal,
): Promise<ChunkSurvey> {
  const query = new URLSearchParams({ store: segment, array, first: String(first) })
  return (await json(`inspect/chunks?${query}`, signal)).body as ChunkSurvey
}
