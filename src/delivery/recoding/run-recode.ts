import { findCodec } from '../../codecs/registry.ts'
import type { StoredCodec } from '../../model/encoding.ts'
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

/** Whether a codec of this encoding reads the source again. */
export function needsSource(encoding: readonly StoredCodec[]): boolean {
  return encoding.some(({ name }) => {
    const codec = findCodec(name)
    return codec?.kind === 'serial' && codec.readsSource === true
  })
}
