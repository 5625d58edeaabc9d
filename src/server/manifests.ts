import type { Format } from '../formats/format.ts'
import { folderPlace } from '../manifests/folder.ts'
import { ManifestStore, Outcomes } from '../manifests/manifests.ts'
import type { ManifestPlace } from '../manifests/place.ts'
import { programRevision } from '../manifests/revision.ts'
import type { Config } from './config.ts'

/** Where opened stores outlive this process, as the configuration says: nowhere, in a folder, in Redis, or in both. */
export function openManifests(
  { manifestFolder, manifestBytes }: Config,
  own: readonly Format[],
): ManifestStore | undefined {
  const outcomes = new Outcomes()
  const { count } = outcomes
  const places: ManifestPlace[] = []
  if (manifestFolder !== undefined) places.push(folderPlace({ path: manifestFolder, mostBytes: manifestBytes, count }))
  return places.length === 0 ? undefined : new ManifestStore({ places, revision: revisionWith(own), outcomes })
}

/** Formats of the operator's own decide with the others what a source is. */
function revisionWith(own: readonly Format[]): string {
  return [programRevision(), ...own.map(({ name }) => name)].join(' ')
}
