// OGC GeoTIFF 1.1 section 7.5.5: vertical systems.

import { epsgPart, epsgWkt } from '../../georeference/crs/epsg.ts'
import { node, wktText } from '../../georeference/crs/wkt.ts'
import type { Reading } from '../reading.ts'
import { GEO_KEY, keyCode, keyShort, keyText } from './geo-keys.ts'
import { unitOf } from './geo-units.ts'

const PRIVATE = 32_767

/** The vertical system of the keys as WKT 1; undefined when they name none that stands for heights above a datum. */
export function verticalCrs({ keys, remarks }: Reading): string | undefined {
  const given = [GEO_KEY.verticalCrs, GEO_KEY.verticalDatum, GEO_KEY.verticalUnits].map(
    (key) => keyShort(keys, key) ?? 0,
  )
  if (given.every((value) => value === 0)) return undefined
  if (given.some((value) => value > PRIVATE)) {
    remarks.push(`vertical keys ${given.join(', ')} are of nobody's register: heights are left out`)
    return undefined
  }
  const code = keyCode(keys, GEO_KEY.verticalCrs)
  if (code === undefined) return ownCrs({ keys, remarks })
  const text = epsgWkt(code)
  if (text?.startsWith('VERT_CS[') === true) return text
  // Ellipsoidal heights have codes of three-dimensional systems, which no vertical system can be.
  remarks.push(`VerticalGeoKey (VerticalCSTypeGeoKey) ${code} is no vertical system: heights are left out`)
  return undefined
}

function ownCrs({ keys, remarks }: Reading): string | undefined {
  const cited = keyText(keys, GEO_KEY.verticalCitation) ?? ''
  const name = /^VCS Name = ([^|]*)/i.exec(cited)?.[1] ?? cited
  const code = keyCode(keys, GEO_KEY.verticalDatum)
  const datum = code === undefined ? undefined : epsgPart('datum', code)
  const unit = unitOf('length', keyCode(keys, GEO_KEY.verticalUnits), remarks)
  if (unit === undefined) return undefined
  const known = datum?.keyword === 'VERT_DATUM' ? datum : node('VERT_DATUM', 'unknown', 2005)
  return wktText(node('VERT_CS', name || 'unknown', known, unit, node('AXIS', 'Up', node('UP'))))
}
