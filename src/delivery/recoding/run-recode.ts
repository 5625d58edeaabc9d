import { needsSource } from '../../codecs/prepare.ts'
import type { DeliveryWorld, RecodeTask } from '../delivery.ts'
import { recode } from './recode.ts'

/** Runs a recoding where it can run: in a worker, or here when a codec must read the source again. */
export async function runRecode(
  task: RecodeTask,
  source: number | undefined,
  world: DeliveryWorld,
): Promise<Uint8Array> {
  if (source === undefined || !readsAgain(task)) return await world.workers.run(task)
  const opened = await world.source(source)
  return await recode(task, (range) => opened.read(range))
}

function readsAgain(task: RecodeTask): boolean {
  return task.kind === 'assemble' && task.pieces.some(({ encoding }) => needsSource(encoding))
}
