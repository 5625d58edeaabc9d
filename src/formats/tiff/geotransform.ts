// OGC GeoTIFF 1.1 section 7.2.1: from raster to model space.
import type { Affine } from '../georeference/conventions.ts'
import type { ControlPoint, Placement } from '../georeference/placement.ts'
import { GEO_KEY, type GeoKeys, keyShort } from './crs/geo-keys.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'

const PIXEL_IS_POINT = 2

/** The placement of an image, with transformations turned to count from the corner of the first pixel, as GDAL does. */
export function parsePlacement(tags: Tags, keys: GeoKeys): Placement {
  const pixelIsPoint = keyShort(keys, GEO_KEY.rasterType) === PIXEL_IS_POINT
  const scale = tags.numbers(TAG.pixelScale)
  const points = tiepoints(tags.numbers(TAG.tiepoint) ?? [])
  const [first] = points
  const [sx, sy] = scale ?? []
  if (sx !== undefined && sy !== undefined && sx !== 0 && sy !== 0 && first !== undefined) {
    // A negative scale is against the standard; like GDAL, the sign of the height is then kept as meant: downwards.
    const e = -Math.abs(sy)
    const transform: Affine = [sx, 0, first.x - first.column * sx, 0, e, first.y - first.row * e]
    return placed(transform, pixelIsPoint)
  }
  const matrix = tags.numbers(TAG.transformation)
  if (matrix !== undefined && matrix.length >= 8) {
    const [a = 0, b = 0, , c = 0, d = 0, e = 0, , f = 0] = matrix
    return placed([a, b, c, d, e, f], pixelIsPoint)
  }
  return { transform: undefined, points: points.length > 1 ? points : [], pixelIsPoint }
}

/** Tags of the placement with numbers that are not finite: what they say is left out. */
export function unplacedTags(tags: Tags): readonly number[] {
  const placing = [TAG.pixelScale, TAG.tiepoint, TAG.transformation]
  return placing.filter((tag) => tags.numbers(tag)?.every(Number.isFinite) === false)
}

function placed(transform: Affine, pixelIsPoint: boolean): Placement {
  const [a, b, c, d, e, f] = transform
  if (!transform.every(Number.isFinite)) return { transform: undefined, points: [], pixelIsPoint }
  if (!pixelIsPoint) return { transform, points: [], pixelIsPoint }
  return { transform: [a, b, c - (a + b) / 2, d, e, f - (d + e) / 2], points: [], pixelIsPoint }
}

function tiepoints(numbers: readonly number[]): ControlPoint[] {
  const points: ControlPoint[] = []
  for (let i = 0; i + 6 <= numbers.length; i += 6) {
    const [column = 0, row = 0, , x = 0, y = 0, z = 0] = numbers.slice(i, i + 6)
    // A point that lies nowhere places nothing.
    if ([column, row, x, y, z].every(Number.isFinite)) points.push({ column, row, x, y, z })
  }
  return points
}
