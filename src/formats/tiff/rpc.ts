// RPCs in GeoTIFF (tag 50844): https://trac.osgeo.org/geotiff/wiki/RPCCoefficientTag
import { floatJson } from '../../json/json.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'

/** In the order of the tag, by the names of GDAL's domain `RPC`; how many numbers each has. */
const FIELDS: readonly (readonly [name: string, count: number])[] = [
  ['ERR_BIAS', 1],
  ['ERR_RAND', 1],
  ['LINE_OFF', 1],
  ['SAMP_OFF', 1],
  ['LAT_OFF', 1],
  ['LONG_OFF', 1],
  ['HEIGHT_OFF', 1],
  ['LINE_SCALE', 1],
  ['SAMP_SCALE', 1],
  ['LAT_SCALE', 1],
  ['LONG_SCALE', 1],
  ['HEIGHT_SCALE', 1],
  ['LINE_NUM_COEFF', 20],
  ['LINE_DEN_COEFF', 20],
  ['SAMP_NUM_COEFF', 20],
  ['SAMP_DEN_COEFF', 20],
]
const COUNT = 92

/** The rational polynomials of an image as attributes; none where the tag has another length. */
export function rpcAttributes(tags: Tags): (readonly [string, AttributeValue])[] {
  const numbers = tags.numbers(TAG.rpcCoefficients)
  if (numbers?.length !== COUNT) return []
  let at = 0
  return FIELDS.map(([name, count]) => {
    const values = numbers.slice(at, at + count).map(floatJson)
    at += count
    return [`RPC:${name}`, count === 1 ? (values[0] ?? 0) : values]
  })
}
