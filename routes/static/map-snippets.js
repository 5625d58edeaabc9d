// Snippets for map viewers, of stores that say where their arrays lie (docs/map-viewers.md).

/** Snippets as pairs of a client and code; none where nothing is said of a place. `metadata` is the root's `zarr.json`. */
export function mapSnippets(url, metadata) {
  const attributes = metadata.attributes ?? {}
  const plane = attributes['spatial:dimensions']
  const arrays = Object.entries(metadata.consolidated_metadata?.metadata ?? {})
  // Of a pyramid the arrays are in groups, the first one of the full resolution.
  const full = attributes.multiscales?.layout?.[0]?.asset
  const folder = typeof full === 'string' ? `${full}/` : ''
  const found = Array.isArray(plane)
    ? arrays.find(([path, node]) => isIn(folder, path) && liesOn(node, plane))
    : undefined
  if (found === undefined) return []
  const [path, array] = found
  const variable = path.slice(folder.length)
  const others = array.dimension_names.slice(0, -2)
  const store = isMarked(array) ? `${url};missing=fill` : url
  const snippets = [['zarr-layer on MapLibre', zarrLayer(store, variable, array, others)]]
  const isDrawn = 'spatial:bbox' in attributes && 'proj:code' in attributes
  return isDrawn ? [['OpenLayers', openLayers(store, variable, others)], ...snippets] : snippets
}

function isIn(folder, path) {
  return path.startsWith(folder) && !path.slice(folder.length).includes('/')
}

function isMarked({ attributes = {} }) {
  return attributes._FillValue !== undefined
}

function liesOn({ dimension_names: names, data_type: type }, plane) {
  return (
    typeof type === 'string' &&
    type !== 'string' &&
    names?.length >= 2 &&
    plane.every((name, i) => names.at(i - 2) === name)
  )
}

function openLayers(url, variable, others) {
  const dimensions =
    others.length === 0 ? '' : `, dimensions: { ${others.map((name) => `${JSON.stringify(name)}: 0`).join(', ')} }`
  return [
    'import WebGLTileLayer from "ol/layer/WebGLTile.js"',
    'import GeoZarr from "ol/source/GeoZarr.js"',
    '',
    'const [low, high] = [0, 1] // of the stored values',
    'const layer = new WebGLTileLayer({',
    `  source: new GeoZarr({ url: ${JSON.stringify(url)}, bands: [${JSON.stringify(variable)}]${dimensions} }),`,
    '  style: { color: ["interpolate", ["linear"], ["band", 1], low, [0, 0, 128], high, [255, 255, 0]] },',
    '})',
  ].join('\n')
}

function zarrLayer(url, variable, array, others) {
  const selector = others.map((name) => `${JSON.stringify(name)}: { selected: 0, type: "index" }`)
  const fragment = missingFragment(variable, array)
  return [
    'import { ZarrLayer } from "@carbonplan/zarr-layer"',
    '',
    'map.addLayer(new ZarrLayer({',
    '  id: "store",',
    `  source: ${JSON.stringify(url)},`,
    `  variable: ${JSON.stringify(variable)},`,
    ...(selector.length === 0 ? [] : [`  selector: { ${selector.join(', ')} },`]),
    '  clim: [0, 1], // lowest and highest value',
    '  colormap: [[0, 0, 128], [255, 255, 0]],',
    ...(fragment === undefined ? [] : [`  customFrag: \`${fragment}\`,`]),
    '}))',
  ].join('\n')
}

/**
 * What zarr-layer has to be told to leave missing points of packed numbers transparent, undefined where it finds them itself. It unpacks
 * values to 32 bits and compares them with the unpacked missing value in 64: they are equal only where 32 bits can hold it.
 */
export function missingFragment(variable, { attributes = {}, data_type: type }) {
  const { _FillValue: fill, scale_factor: scale = 1, add_offset: offset = 0 } = attributes
  const isPacked = /^u?int/.test(type) && [fill, scale, offset].every((number) => typeof number === 'number')
  if (!isPacked || !/^[A-Za-z]\w*$/.test(variable)) return undefined
  const missing = fill * scale + offset
  if (Math.fround(missing) === missing) return undefined
  return `
    if (abs(${variable} - (${float(missing)})) < ${float(Math.abs(scale) / 2)}) discard; // missing
    vec4 c = texture(colormap, vec2((${variable} - clim.x) / (clim.y - clim.x), 0.5));
    fragColor = vec4(c.rgb * opacity, opacity);`
}

/** A number as GLSL wants it: with a point. */
function float(value) {
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
