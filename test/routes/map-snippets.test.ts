import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapSnippets, missingFragment } from '../helpers/map-snippets.ts'

const URL_OF_STORE = 'http://127.0.0.1:8080/zarr/a'
const PLACED = { 'spatial:dimensions': ['lat', 'lon'], 'spatial:bbox': [0, 0, 1, 1], 'proj:code': 'EPSG:4326' }

function rootOf(attributes: unknown, array: unknown) {
  return { attributes, consolidated_metadata: { metadata: { lat: { dimension_names: ['lat'] }, sst: array } } }
}

const PACKED = {
  dimension_names: ['time', 'lat', 'lon'],
  data_type: 'int16',
  attributes: { _FillValue: -32767, scale_factor: 0.01, add_offset: 20.3 },
}

test('a grid that says where it lies has snippets for map viewers, with the missing value as fill value', () => {
  const snippets = new Map(mapSnippets(URL_OF_STORE, rootOf(PLACED, PACKED)))
  assert.deepEqual([...snippets.keys()], ['OpenLayers', 'zarr-layer on MapLibre'])
  const ol = snippets.get('OpenLayers') ?? ''
  assert.match(
    ol,
    /new GeoZarr\(\{ url: "http:\/\/127\.0\.0\.1:8080\/zarr\/a;missing=fill", bands: \["sst"\], dimensions: \{ "time": 0 \} \}\)/,
  )
  assert.match(snippets.get('zarr-layer on MapLibre') ?? '', /selector: \{ "time": \{ selected: 0, type: "index" \} \}/)
})

test('overviews of a TIFF are shown from the URL of its store', () => {
  const image = { dimension_names: ['lat', 'lon'], data_type: 'uint8' }
  const level = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, image]))
  const urlsOf = (attributes: unknown, names: readonly string[]) =>
    mapSnippets(URL_OF_STORE, { attributes, consolidated_metadata: { metadata: level(...names) } }).map(
      ([, code]) => /"(http:[^"]*)"/.exec(code)?.[1],
    )
  assert.deepEqual(urlsOf(PLACED, ['a', 'mask/a']), [URL_OF_STORE, URL_OF_STORE])
  const multiscales = { layout: [{ asset: '0' }, { asset: '1' }] }
  assert.deepEqual(urlsOf({ ...PLACED, multiscales }, ['0/a', '1/a']), [URL_OF_STORE, URL_OF_STORE])
})

test('OpenLayers has no snippet for what it would misplace', () => {
  const { 'spatial:dimensions': dimensions } = PLACED
  const snippets = mapSnippets(URL_OF_STORE, rootOf({ 'spatial:dimensions': dimensions }, PACKED))
  assert.deepEqual(
    snippets.map(([client]) => client),
    ['zarr-layer on MapLibre'],
  )
})

test('a store without a place, or without an array on it, has none', () => {
  assert.deepEqual(mapSnippets(URL_OF_STORE, rootOf({}, PACKED)), [])
  assert.deepEqual(mapSnippets(URL_OF_STORE, rootOf(PLACED, { ...PACKED, dimension_names: ['lon', 'lat'] })), [])
  assert.deepEqual(mapSnippets(URL_OF_STORE, rootOf(PLACED, { ...PACKED, data_type: 'string' })), [])
  assert.deepEqual(mapSnippets(URL_OF_STORE, { attributes: PLACED }), [])
})

test('missing values are told to zarr-layer where 32 bits do not hold them unpacked, and only there', () => {
  assert.match(missingFragment('sst', PACKED) ?? '', /if \(abs\(sst - \(-307\.37\)\) < 0\.005\) discard;/)
  const packed = (attributes: unknown, data_type = 'int16') => missingFragment('sst', { attributes, data_type })
  assert.equal(packed({ _FillValue: -32768, scale_factor: 0.5, add_offset: 10 }), undefined)
  assert.equal(packed({ _FillValue: -9999 }), undefined)
  assert.equal(packed({ scale_factor: 0.1 }), undefined)
  assert.equal(packed({ _FillValue: 'AAAAAICHw8A=', scale_factor: 0.1 }, 'float32'), undefined)
  assert.equal(missingFragment('2m "temperature"', PACKED), undefined)
})

test('names from a file can not leave the quoted strings of a snippet', () => {
  const name = '"}), evil({"'
  const root = {
    attributes: PLACED,
    consolidated_metadata: { metadata: { [name]: { ...PACKED, dimension_names: [name, 'lat', 'lon'] } } },
  }
  for (const [, code] of mapSnippets(URL_OF_STORE, root)) {
    const inside = code.match(/(?:bands: \[|variable: |selector: \{ |dimensions: \{ )"(?:[^"\\]|\\.)*"/g) ?? []
    assert.equal(inside.length, 2, code)
    assert.ok(inside.every((text) => text.includes('\\"}), evil({\\"')))
  }
})
