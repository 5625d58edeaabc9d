import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { epsgWkt } from '../../../src/formats/georeference/crs/epsg.ts'
import { crsOf } from '../../../src/formats/tiff/crs/crs.ts'
import { GEO_KEY, type GeoKeyValue } from '../../../src/formats/tiff/crs/geo-keys.ts'

type Named = Partial<Record<keyof typeof GEO_KEY, GeoKeyValue>>

const read = (keys: Named, heights = false) =>
  crsOf(new Map(Object.entries(keys).map(([name, value]) => [GEO_KEY[name as keyof typeof GEO_KEY], value])), heights)
const wkt = (keys: Named, heights = false) => read(keys, heights).crs?.wkt ?? ''
/** That the keys give no system, and what is said of it. */
const refused = (keys: Named, remark: RegExp) => {
  const { crs, remarks } = read(keys)
  assert.equal(crs, undefined)
  assert.match(remarks.join('; '), remark)
}

const OWN_ELLIPSOID = { geodeticCrs: 32_767, semiMajorAxis: [6_378_273], inverseFlattening: [298.279411123064] }
const OWN_PROJECTION = { modelType: 1, projectedCrs: 32_767, geodeticCrs: 4326 }

describe('systems of the EPSG dataset', () => {
  test('codes from both ends and the middle of the table', () => {
    assert.match(epsgWkt(4326) ?? '', /^GEOGCS\["WGS 84".*AUTHORITY\["EPSG","4326"\]\]$/)
    assert.match(epsgWkt(2000) ?? '', /AUTHORITY\["EPSG","2000"\]\]$/)
    assert.match(epsgWkt(32_761) ?? '', /AUTHORITY\["EPSG","32761"\]\]$/)
    assert.match(epsgWkt(5703) ?? '', /^VERT_CS\["NAVD88 height"/)
  })

  test('what WKT 1 would say wrongly is WKT 2: the sphere of EASE-Grid is not the ellipsoid under it', () => {
    assert.match(epsgWkt(3975) ?? '', /^PROJCRS\[.*METHOD\["Lambert Cylindrical Equal Area \(Spherical\)"/)
    const { crs } = read({ modelType: 1, projectedCrs: 9311 })
    assert.deepEqual([crs?.kind, crs?.unit, crs?.code], ['projected', 1, 'EPSG:9311'])
  })

  test('a deprecated system gives way to its successor, as in GDAL', () => {
    const { crs, remarks } = read({ modelType: 1, projectedCrs: 3349 })
    assert.equal(crs?.code, 'EPSG:3832')
    assert.match(crs?.wkt ?? '', /"central_meridian",150\]/)
    assert.match(remarks.join(), /EPSG:3349 is deprecated: EPSG:3832 takes its place/)
  })

  test('codes that the dataset does not have are refused by name', () => {
    for (const code of [0, 1, 432_666, 4_000_000_000]) assert.equal(epsgWkt(code), undefined)
    refused({ modelType: 1, projectedCrs: 60_000 }, /ProjectedCSTypeGeoKey\) 60000 is the code of no projected system/)
    refused({ modelType: 2, geodeticCrs: 5703 }, /GeographicTypeGeoKey\) 5703 is the code of no geographic system/)
  })

  test('the model says whether the geographic or the projected code counts', () => {
    const both = { projectedCrs: 32_633, geodeticCrs: 4326 }
    const { crs } = read({ modelType: 1, ...both })
    assert.deepEqual([crs?.code, crs?.kind, crs?.unit], ['EPSG:32633', 'projected', 1])
    assert.equal(read({ modelType: 2, ...both }).crs?.code, 'EPSG:4326')
    assert.equal(read({ projectedCrs: 32_633 }).crs?.code, 'EPSG:32633')
    assert.equal(read({ modelType: 32_767, ...both }).crs?.code, 'EPSG:32633')
    assert.equal(read({ modelType: 2, geodeticCrs: 4326 }).crs?.kind, 'geographic')
  })

  test('without a model a geographic code does not count: metres would be degrees', () => {
    for (const modelType of [0, 32_767])
      refused({ modelType, geodeticCrs: 4326 }, /GTModelTypeGeoKey .*keys 2048 don't count/)
    refused({ geodeticCrs: 4326 }, /GTModelTypeGeoKey is missing/)
  })

  test('three-dimensional geographic codes are geographic', () => {
    const { crs } = read({ modelType: 2, geodeticCrs: 4979 })
    assert.deepEqual([crs?.kind, crs?.code], ['geographic', 'EPSG:4979'])
  })

  test('heights count from GeoTIFF 1.1 on', () => {
    const keys = { modelType: 1, projectedCrs: 26_916, verticalCrs: 5703, citation: 'both' }
    assert.match(wkt(keys, true), /^COMPD_CS\["both",PROJCS\[.*VERT_CS\["NAVD88 height"/)
    assert.match(wkt(keys, false), /^PROJCS/)
    assert.match(wkt({ ...keys, verticalCrs: 5030 }, true), /^PROJCS/)
    const own = { verticalCrs: 32_767, verticalCitation: 'VCS Name = mine|x', verticalUnits: 9002, verticalDatum: 5103 }
    assert.match(wkt({ ...keys, ...own }, true), /VERT_CS\["mine",VERT_DATUM\["North American.*UNIT\["foot",0.3048/)
  })
})

describe('registered systems that other keys change', () => {
  test('keys that say the same change nothing', () => {
    const keys = {
      ...OWN_PROJECTION,
      projectedCrs: 32_633,
      method: 1,
      naturalOriginLongitude: [15],
      scaleAtNaturalOrigin: [0.9996],
    }
    const { crs, remarks } = read({ ...keys, falseEasting: [500_000], semiMajorAxis: [6_378_137], linearUnits: 9001 })
    assert.deepEqual([crs?.code, remarks], ['EPSG:32633', []])
  })

  test('another unit, another datum or another meridian: no longer the registered system', () => {
    const utm = { modelType: 1, projectedCrs: 32_633 }
    const feet = read({ ...utm, linearUnits: 9002 })
    assert.match(feet.crs?.wkt ?? '', /"false_easting",1640419.94750656\].*UNIT\["foot",0.3048.*\],AXIS/)
    assert.equal(feet.crs?.code, undefined)
    assert.match(feet.remarks.join(), /change EPSG:32633/)
    assert.match(wkt({ ...utm, geodeticCrs: 4258 }), /GEOGCS\["ETRS89".*"central_meridian",15\]/)
    assert.match(
      wkt({ ...utm, method: 1, naturalOriginLongitude: [10] }),
      /"central_meridian",10\].*"false_easting",0\]/,
    )
    assert.match(
      wkt({ modelType: 2, geodeticCrs: 4267, primeMeridian: 8903 }),
      /^GEOGCS\["NAD27",DATUM\["North.*PRIMEM\["Paris",2.33722917/,
    )
  })

  test('the datum of WGS 84 moves: its code counts whatever else the keys say, as in GDAL', () => {
    const { crs, remarks } = read({
      modelType: 2,
      geodeticCrs: 4326,
      semiMajorAxis: [6_378_000],
      inverseFlattening: [300],
    })
    assert.equal(crs?.code, 'EPSG:4326')
    assert.match(remarks.join(), /differ from EPSG:4326/)
    const projected = { modelType: 1, projectedCrs: 32_633, geodeticCrs: 4326, inverseFlattening: [300] }
    assert.match(wkt(projected), /SPHEROID\["unknown",6378137,300\]/)
  })
})

describe('systems that a file defines', () => {
  test('a polar stereographic projection on an ellipsoid of its own', () => {
    const method = { method: 15, naturalOriginLatitude: [-70], straightVerticalPoleLongitude: [0] }
    const found = read({ modelType: 1, projectedCrs: 32_767, ...OWN_ELLIPSOID, ...method }).crs
    assert.equal(found?.code, undefined)
    assert.match(found?.wkt ?? '', /SPHEROID\["unknown",6378273,298.279411123064\]/)
    assert.match(found?.wkt ?? '', /PROJECTION\["Polar_Stereographic"\],PARAMETER\["latitude_of_origin",-70\]/)
  })

  test('a Mercator projection by its parallel', () => {
    assert.match(
      wkt({ ...OWN_PROJECTION, method: 7, standardParallel1: [20] }),
      /"Mercator_2SP"\],PARAMETER\["standard_parallel_1",20\]/,
    )
    assert.match(
      wkt({ ...OWN_PROJECTION, method: 7, scaleAtNaturalOrigin: [0.9] }),
      /"Mercator_1SP".*"scale_factor",0.9\]/,
    )
  })

  test('oblique Mercator, by the centre and by the natural origin', () => {
    const keys = {
      ...OWN_PROJECTION,
      azimuth: [33],
      rectifiedGridAngle: [35],
      scaleAtCenter: [0.9],
      centerLatitude: [4],
    }
    assert.match(
      wkt({ ...keys, method: 3 }),
      /"Hotine_Oblique_Mercator"\].*"azimuth",33\].*"rectified_grid_angle",35\].*"scale_factor",0.9\]/,
    )
    assert.match(
      wkt({ ...keys, method: 9815 }),
      /"Hotine_Oblique_Mercator_Azimuth_Center"\],PARAMETER\["latitude_of_center",4\]/,
    )
  })

  test('zones of UTM and of state planes on a known datum', () => {
    const utm = read({ ...OWN_PROJECTION, projection: 16_132, citation: 'a "zone"' }).crs
    assert.match(utm?.wkt ?? '', /^PROJCS\["a 'zone'",GEOGCS\["WGS 84"/)
    assert.match(utm?.wkt ?? '', /"central_meridian",9\].*"false_northing",10000000\]/)
    const plane = { ...OWN_PROJECTION, geodeticCrs: 4267, projection: 10_405, linearUnits: 9003 }
    assert.match(wkt(plane), /"Lambert_Conformal_Conic_2SP".*"false_easting",2000000\]/)
  })

  test('a datum by its code, by the name that ArcGIS has for it, and with its way to WGS 84', () => {
    const keys = { modelType: 2, geodeticCrs: 32_767 }
    assert.match(
      wkt({ ...keys, geodeticDatum: 6267 }),
      /^GEOGCS\["North_American_Datum_1927",DATUM\["North_American_Datum_1927".*"6267"/,
    )
    const geodeticCitation =
      'GCS Name = GCS_NAD_1927|Datum = D_North_American_1927|Ellipsoid = Clarke_1866|Primem = Greenwich|'
    const axes = { semiMajorAxis: [6_378_206.4], inverseFlattening: [294.9786982138982] }
    assert.match(wkt({ ...keys, ...axes, geodeticCitation }), /DATUM\["North_American_Datum_1927".*"6267"/)
    const shift = { semiMajorAxis: [6_378_388], inverseFlattening: [297], toWgs84: [-87, -98, -121] }
    assert.match(wkt({ ...keys, ...shift }), /SPHEROID\["unknown",6378388,297\],TOWGS84\[-87,-98,-121,0,0,0,0\]/)
  })

  test('names of the geodetic system as GDAL writes them', () => {
    const geodeticCitation = 'GCS Name = mine|Datum = D|Ellipsoid = E|Primem = P'
    const found = wkt({ modelType: 2, ...OWN_ELLIPSOID, geodeticCitation })
    assert.match(found, /^GEOGCS\["mine",DATUM\["D",SPHEROID\["E".*PRIMEM\["P",0\]/)
  })

  test('the unit that a citation names is that of the coordinates, not of the keys', () => {
    const cited = {
      ...OWN_PROJECTION,
      method: 1,
      falseEasting: [500_000],
      linearUnits: 9001,
      projectedCitation: 'LUnits = feet',
    }
    assert.match(wkt(cited), /"false_easting",1640416.66666667\].*UNIT\["feet",0.3048006096012192\]/)
  })

  test('heights and lengths of ERDAS Imagine', () => {
    const heading = 'IMAGINE GeoTIFF Support\nCopyright\n@(#)$RCSfile: egtf.c $ $Revision: 1.9 $\n'
    const citation = `${heading}Projection Name = UTM\nUnits = meters\nGeoTIFF Units = meters`
    assert.match(wkt({ ...OWN_PROJECTION, method: 1, citation }), /^PROJCS\["UTM".*UNIT\["metre",1/)
  })

  test('what GDAL assumes is assumed, and said', () => {
    const { crs, remarks } = read({ modelType: 1, projectedCrs: 32_767, method: 1 })
    assert.match(crs?.wkt ?? '', /SPHEROID\["WGS 84"/)
    assert.match(remarks.join(), /no key names a datum or an ellipsoid/)
  })

  test('a plane that lies nowhere', () => {
    assert.match(wkt({ citation: 'Cartesian\n(Meter)', linearUnits: 9001 }), /^LOCAL_CS\["Cartesian \(Meter\)"/)
  })
})

describe('systems in the words of ArcGIS', () => {
  const text = 'PROJCS["x",GEOGCS["y",UNIT["Degree",0.0174532925199433]],PROJECTION["Mollweide"],UNIT["Foot",0.3048]]'
  const projectedCitation = `ESRI PE String = ${text}`

  test('count where the model is open, and where keys say no projection', () => {
    const { crs } = read({ modelType: 32_767, geodeticCrs: 4326, projectedCitation })
    assert.deepEqual([crs?.wkt, crs?.kind, crs?.unit], [text, 'projected', 0.3048])
    assert.equal(read({ modelType: 1, projectedCrs: 32_767, projectedCitation }).crs?.wkt, text)
    assert.match(wkt({ ...OWN_PROJECTION, method: 1, projectedCitation }), /Transverse_Mercator/)
    assert.equal(read({ modelType: 2, geodeticCrs: 4326, projectedCitation }).crs?.code, 'EPSG:4326')
  })

  test('must be whole', () => {
    for (const cut of [
      text.slice(0, 40),
      'PROJCS["x",UNIT["m",1]]',
      `PROJCS${'['.repeat(99_999)}`,
      'SPHEROID["x",1,2]',
      '"x"',
    ])
      refused(
        { modelType: 32_767, projectedCitation: `ESRI PE String = ${cut}` },
        /no well-known text of a geographic or projected/,
      )
  })
})

describe('what is not enough for a system, or what GDAL reads as another one, is none', () => {
  test('nothing is said of what says nothing', () => {
    assert.deepEqual(read({}), { crs: undefined, remarks: [] })
    assert.deepEqual(read({ rasterType: 1 }), { crs: undefined, remarks: [] })
  })

  for (const [name, keys, remark] of [
    ['an unknown projection', { ...OWN_PROJECTION, method: 999 }, /ProjCoordTransGeoKey\) 999 is no projection/],
    ['no projection', OWN_PROJECTION, /neither ProjMethodGeoKey/],
    ['a code that is no projection', { ...OWN_PROJECTION, projection: 1 }, /ProjectionGeoKey 1 is no projection/],
    ['a polar projection without a latitude', { ...OWN_PROJECTION, method: 15 }, /without a latitude/],
    ['one of two parallels', { ...OWN_PROJECTION, method: 8, standardParallel1: [1] }, /lacks ProjStdParallel2GeoKey/],
    ['an unknown unit', { ...OWN_PROJECTION, method: 1, linearUnits: 9102 }, /9102 is the code of no unit of length/],
    [
      'an angle that GDAL ignores',
      { ...OWN_ELLIPSOID, modelType: 2, angularUnitSize: [0.01] },
      /takes such angles for degrees/,
    ],
    ['axes in feet', { ...OWN_ELLIPSOID, modelType: 2, geogLinearUnits: 9002 }, /no ellipsoid in metres/],
    ['a negative axis', { ...OWN_ELLIPSOID, modelType: 2, semiMajorAxis: [-1] }, /no ellipsoid in metres/],
    [
      'a meridian in grads',
      { ...OWN_ELLIPSOID, modelType: 2, angularUnits: 9105, primeMeridianLongitude: [2] },
      /in other units/,
    ],
    ['a code as a double', { modelType: 1, projectedCrs: [32_633] }, /key 3072 is of another type/],
  ] as const) {
    test(name, () => refused(keys, remark))
  }
})
