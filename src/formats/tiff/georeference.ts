import type { ParseContext } from '../format.ts'
import { type Crs, crsOfWkt } from '../georeference/crs/reference-system.ts'
import type { Placement } from '../georeference/placement.ts'
import { type CrsReading, crsOf } from './crs/crs.ts'
import { type GeoKeys, isRevised, parseGeoKeys } from './crs/geo-keys.ts'
import type { Tags } from './directories/read-tags.ts'
import { parsePlacement, unplacedTags } from './geotransform.ts'
import type { Sidecars } from './sidecars.ts'

/** Where an image lies, by itself or by the image it belongs to. */
export interface Georeference {
  readonly placement: Placement
  readonly crs: Crs | undefined
}

/** Most different reference systems of one file that are looked up. */
const MOST_SYSTEMS = 64

/** What a directory says; `systems` has those that were read of the file, by their keys. */
export function georeferenceOf(
  tags: Tags,
  systems: Map<string, CrsReading>,
  path: string,
  context: ParseContext,
): Georeference {
  const keys = parseGeoKeys(tags)
  const spelled = JSON.stringify([isRevised(tags), ...keys])
  const { crs, remarks } = systems.get(spelled) ?? systemOf(keys, isRevised(tags), systems.size)
  systems.set(spelled, { crs, remarks })
  const code = crs === undefined ? 'crs-dropped' : 'crs-changed'
  if (remarks.length > 0) context.warn({ code, message: remarks.join('; '), path })
  for (const tag of unplacedTags(tags)) {
    const message = `tag ${tag} has numbers that are not finite: what it places by them is left out`
    context.warn({ code: 'tag-dropped', message, path })
  }
  return { placement: parsePlacement(tags, keys), crs }
}

function systemOf(keys: GeoKeys, heights: boolean, before: number): CrsReading {
  if (before < MOST_SYSTEMS) return crsOf(keys, heights)
  return { crs: undefined, remarks: [`the file has more than ${MOST_SYSTEMS} different reference systems`] }
}

/** Whether a directory says by itself where its image lies, and in which system. */
export function isPlaced(tags: Tags): boolean {
  const keys = parseGeoKeys(tags)
  const { transform, points } = parsePlacement(tags, keys)
  return (transform !== undefined || points.length > 0) && crsOf(keys, isRevised(tags)).crs !== undefined
}

/** GDAL's order: the PAM document, the file itself, the world file. */
export function georeferenceBeside(
  { placement, crs }: Georeference,
  { pam, transform }: Sidecars,
  path: string,
  context: ParseContext,
): Georeference {
  const points = pam === undefined || pam.points.length === 0 ? placement.points : pam.points
  const affine = pam?.transform ?? placement.transform ?? transform
  const wkt = pam?.wkt ?? (affine === undefined ? pam?.pointsWkt : undefined)
  const found = wkt === undefined ? undefined : crsOfWkt(wkt)
  if (wkt !== undefined && found === undefined) {
    const spelled = JSON.stringify(wkt.slice(0, 60))
    const message = `the reference system beside the file is no well-known text of one: ${spelled}`
    context.warn({ code: 'crs-dropped', message, path })
  }
  return { placement: { ...placement, transform: affine, points }, crs: found ?? crs }
}
