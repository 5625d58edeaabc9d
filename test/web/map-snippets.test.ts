import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArrayInfo, Attributes, Inspection } from '../../web/src/service/types.ts'
import { mapSnippets, missingFragment } from '../../web/src/snippets/map-snippets.ts'

const URL_OF_STORE = 'http://127.0.0.1:8080/zarr/a'
const PLACED = { 'spatial:dimensions': ['lat', 'lon'], 'spatial:bbox': [0, 0, 1, 1], 'proj:code': 'EPSG:4326' }

const PACKED: ArrayInfo = {
  shape: [2, 3, 4],
  data_type: 'int16',
  dimension_names: ['time', 'lat', 'lon'],
  chunk_shape: [1, 3, 4],
  chunk_grid: [2, 1, 1],
  edges: 'padded',
  codecs: [],
  stored: [],
  delivery: [],
  fill_value: 0,
  fill_value_from: '',
  sentinels: [],
  attributes: { _FillValue: -32767, scale_factor: 0.01, add_offset: 20.3 },
}

function store(attributes: Attributes, arrays: Readonly<Record<string, ArrayInfo>>): Inspection {
  const names = new Set(['', ...Object.keys(arrays).map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))])
  const groups = Object.fromEntries([...names].map((name) => [name, { attributes }]))
  return { source: '', format: '', version: '', groups, arrays, skipped: {}, warnings: [] }
}

test('a grid that says where it lies has snippets for map viewers, with the missing value as fill value', () => {
  const snippets = mapSnippets(URL_OF_STORE, store(PLACED, { sst: PACKED }), 'sst')
  assert.deepEqual(
    snippets.map(({ client }) => client),
    ['OpenLayers', 'zarr-layer on MapLibre'],
  )
  const [ol = '', layer = ''] = snippets.map(({ code }) => code)
  assert.match(
    ol,
    /new GeoZarr\(\{ url: "http:\/\/127\.0\.0\.1:8080\/zarr\/a;missing=fill", bands: \["sst"\], dimensions: \{ "time": 0 \} \}\)/,
  )
  assert.match(layer, /selector: \{ "time": \{ selected: 0, type: "index" \} \}/)
})

test('an option that the address has already is not given twice', () => {
  const [ol] = mapSnippets(`${URL_OF_STORE};missing=mask`, store(PLACED, { sst: PACKED }), 'sst')
  assert.match(ol?.code ?? '', /url: "http:\/\/127\.0\.0\.1:8080\/zarr\/a;missing=mask"/)
})

test('overviews are shown from the group that lists them', () => {
  const image = { ...PACKED, shape: [3, 4], dimension_names: ['lat', 'lon'], data_type: 'uint8', attributes: {} }
  const multiscales = { layout: [{ asset: '0' }, { asset: '1' }] }
  const urlOf = (attributes: Attributes, path: string) => {
    const [first] = mapSnippets(URL_OF_STORE, store(attributes, { [path]: image }), path)
    return /"(http:[^"]*)"/.exec(first?.code ?? '')?.[1]
  }
  assert.equal(urlOf(PLACED, 'a'), URL_OF_STORE)
  assert.equal(urlOf(PLACED, 'mask/a'), `${URL_OF_STORE}/mask`)
  assert.equal(urlOf({ ...PLACED, multiscales }, 'a'), URL_OF_STORE)
  assert.equal(urlOf({ ...PLACED, multiscales }, '0/a'), URL_OF_STORE)
})

test('OpenLayers has no snippet for what it would misplace', () => {
  const { 'spatial:dimensions': dimensions } = PLACED
  const snippets = mapSnippets(URL_OF_STORE, store({ 'spatial:dimensions': dimensions }, { sst: PACKED }), 'sst')
  assert.deepEqual(
    snippets.map(({ client }) => client),
    ['zarr-layer on MapLibre'],
  )
})

test('an array without a place has none', () => {
  const none = (attributes: Attributes, array: ArrayInfo) =>
    mapSnippets(URL_OF_STORE, store(attributes, { a: array }), 'a')
  assert.deepEqual(none({}, PACKED), [])
  assert.deepEqual(none(PLACED, { ...PACKED, dimension_names: ['time', 'lon', 'lat'] }), [])
  assert.deepEqual(none(PLACED, { ...PACKED, data_type: 'string' }), [])
  assert.deepEqual(mapSnippets(URL_OF_STORE, store(PLACED, {}), 'a'), [])
})

test('missing values are told to zarr-layer where 32 bits do not hold them unpacked, and only there', () => {
  assert.match(missingFragment('sst', PACKED) ?? '', /if \(abs\(sst - \(-307\.37\)\) < 0\.005\) discard;/)
  const packed = (attributes: Attributes, data_type = 'int16') => missingFragment('sst', { attributes, data_type })
  assert.equal(packed({ _FillValue: -32768, scale_factor: 0.5, add_offset: 10 }), undefined)
  assert.equal(packed({ _FillValue: -9999 }), undefined)
  assert.equal(packed({ scale_factor: 0.1 }), undefined)
  assert.equal(packed({ _FillValue: 'AAAAAICHw8A=', scale_factor: 0.1 }, 'float32'), undefined)
  assert.equal(missingFragment('2m "temperature"', PACKED), undefined)
})

test('names from a file can not leave the quoted strings of a snippet', () => {
  const name = '"}), evil({"'
  const array = { ...PACKED, dimension_names: [name, 'lat', 'lon'] }
  const snippets = mapSnippets(URL_OF_STORE, store(PLACED, { [name]: array }), name)
  assert.equal(snippets.length, 2)
  for (const { code } of snippets) {
    const inside = code.match(/(?:bands: \[|variable: |selector: \{ |dimensions: \{ )"(?:[^"\\]|\\.)*"/g) ?? []
    assert.equal(inside.length, 2, code)
    assert.ok(inside.every((text) => text.includes('\\"}), evil({\\"')))
  }
})
