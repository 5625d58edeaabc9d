import { storeUrl } from '../service/api.ts'
import { ask } from '../service/ask.ts'
import type { ChunkSurvey } from '../service/types.ts'
import { type Asked, chunkCoordinates } from './chunk-cells.ts'

/** Objects that are asked for at once, and in all. */
const SIDE_BY_SIDE = 6
const MOST_ASKED = 512

/** Asks for the heads of chunks that are objects of their own: whether they are there, and how long. */
export async function askHosts(
  segment: string,
  path: string,
  survey: ChunkSurvey,
  tell: (asked: Asked) => void,
): Promise<void> {
  const asked = new Map<number, number | null>()
  const positions = Array.from(survey.kinds, (kind, at) => (kind === 'o' ? survey.first + at : -1)).filter(
    (at) => at >= 0,
  )
  const base = [
    storeUrl(segment),
    ...path
      .split('/')
      .filter((part) => part !== '')
      .map(encodeURIComponent),
  ].join('/')
  const queue = positions.slice(0, MOST_ASKED)
  const work = async () => {
    for (let position = queue.shift(); position !== undefined; position = queue.shift()) {
      const key = ['c', ...chunkCoordinates(survey.grid, position)].join('/')
      const answer = await ask(`${base}/${key}`, { method: 'HEAD' }).catch(() => undefined)
      if (answer?.status === 404) asked.set(position, null)
      else if (answer?.ok) asked.set(position, Number(answer.headers.get('content-length') ?? 0))
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  tell(asked)
}
