import { VirtualZarrError } from '../errors.ts'

/** The error that a chunk answers with when its reference leads nowhere: its neighbours don't suffer from it. */
export function brokenReference(reason: string, path: string): VirtualZarrError {
  return new VirtualZarrError('source-unavailable', `the reference of this chunk ${reason}`, {
    path,
    feature: 'broken reference',
  })
}
