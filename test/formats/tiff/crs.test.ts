import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crsOf } from '../../../src/formats/tiff/crs.ts'
import { epsgWkt } from '../../../src/formats/tiff/epsg.ts'
import { GEO_KEY, type GeoKeyValue } from '../../../src/formats/tiff/geo-keys.ts'

const crs = (keys: Partial<Record<keyof typeof GEO_KEY, GeoKeyValue>>, heights = false) =>
  crsOf(new Map(Object.entries(keys).map(([name, value]) => [GEO_KEY[name as keyof typeof GEO_KEY], value])), heights)

const OWN_ELLIPSOID = { geodeticCrs: 32_767, semiMajorAxis: 6_378_273, inverseFlattening: 298.279411123064 }

describe('systems of the EPSG dataset', () => {
  test('codes from both ends and the middle of the table', () => {
    assert.match(epsgWkt(4326) ?? '', /^GEOGCS\["WGS 84".*AUTHORITY\["EPSG","4326"\]\]$/)
    assert.match(epsgWkt(2000) ?? '', /AUTHORITY\["EPSG","2000"\]\]$/)
    assert.match(epsgWkt(32_761) ?? '', /AUTHORITY\["EPSG","32761"\]\]$/)
    assert.match(epsgWkt(5703) ?? '', /^VERT_CS\["NAVD88 height"/)
  })

  test('codes that the dataset does not have', () => {
    for (const code of [0, 1, 432_666, 4_000_000_000]) assert.equal(epsgWkt(code), undefined)
    assert.deepEqual(crs({ modelType: 1, projectedCrs: 60_000 }), {
      code: 'EPSG:60000',
      wkt: 'EPSG:60000',
      isGeographic: false,
    })
  })

  test('a projected code counts, whatever lies under it', () => {
    const found = crs({ modelType: 1, projectedCrs: 32_633, geodeticCrs: 4326 })
    assert.equal(found?.code, 'EPSG:32633')
    assert.equal(found?.isGeographic, false)
    assert.equal(crs({ modelType: 2, geodeticCrs: 4326 })?.isGeographic, true)
  })

  test('heights count from GeoTIFF 1.1 on', () => {
    const keys = { modelType: 1, projectedCrs: 26_916, verticalCrs: 5703, citation: 'both' }
    assert.match(crs(keys, true)?.wkt ?? '', /^COMPD_CS\["both",PROJCS\[.*VERT_CS\["NAVD88 height"/)
    assert.match(crs(keys, false)?.wkt ?? '', /^PROJCS/)
    const ellipsoidal = crs({ ...keys, verticalCrs: 5030 }, true)
    assert.match(ellipsoidal?.wkt ?? '', /^PROJCS/)
  })
})

describe('systems that a file defines', () => {
  test('a polar stereographic projection on an ellipsoid of its own', () => {
    const method = { method: 15, naturalOriginLatitude: -70, straightVerticalPoleLongitude: 0 }
    const found = crs({ modelType: 1, projectedCrs: 32_767, ...OWN_ELLIPSOID, ...method })
    assert.equal(found?.code, undefined)
    assert.match(found?.wkt ?? '', /SPHEROID\["unknown",6378273,298.279411123064\]/)
    assert.match(found?.wkt ?? '', /PROJECTION\["Polar_Stereographic"\],PARAMETER\["latitude_of_origin",-70\]/)
  })

  test('a zone of UTM on a known datum', () => {
    const found = crs({
      modelType: 1,
      projectedCrs: 32_767,
      projection: 16_132,
      geodeticCrs: 4326,
      citation: 'a "zone"',
    })
    assert.match(found?.wkt ?? '', /^PROJCS\["a 'zone'",GEOGCS\["WGS 84"/)
    assert.match(found?.wkt ?? '', /"central_meridian",9\].*"false_northing",10000000\]/)
  })

  test('names of the geodetic system as GDAL writes them', () => {
    const geodeticCitation = 'GCS Name = mine|Datum = D|Ellipsoid = E|Primem = P'
    const found = crs({ modelType: 2, ...OWN_ELLIPSOID, geodeticCitation })
    assert.match(found?.wkt ?? '', /^GEOGCS\["mine",DATUM\["D",SPHEROID\["E".*PRIMEM\["P",0\]/)
  })

  test('the WKT of ArcGIS is passed on', () => {
    const text = 'PROJCS["x",GEOGCS["y"]]'
    assert.equal(crs({ projectedCrs: 32_767, projectedCitation: `ESRI PE String = ${text}` })?.wkt, text)
  })

  test('a plane that lies nowhere', () => {
    assert.match(
      crs({ citation: 'Cartesian\n(Meter)', linearUnits: 9001 })?.wkt ?? '',
      /^LOCAL_CS\["Cartesian \(Meter\)"/,
    )
  })

  test('what is not enough for a system is none', () => {
    assert.equal(crs({}), undefined)
    assert.equal(crs({ modelType: 1, projectedCrs: 32_767, method: 999, ...OWN_ELLIPSOID }), undefined)
    assert.equal(crs({ modelType: 2, geodeticCrs: 32_767, semiMajorAxis: Number.NaN }), undefined)
  })
})
