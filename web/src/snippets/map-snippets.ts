// Snippets for map viewers, of stores that say where their arrays lie (docs/map-viewers.md).
import type { ArrayInfo, Attributes, Inspection } from '../service/types.ts'
import { nameOf, parentOf } from '../store/nodes.ts'
import type { ClientSnippet } from './snippets.ts'

/** How map viewers show an array; none where nothing is said of a place. */
export function mapSnippets(
  url: string,
  inspection: Inspection,
  path: string,
  needsKey = false,
): readonly ClientSnippet[] {
  const array = inspection.arrays[path]
  const folder = parentOf(path)
  const place = inspection.groups[folder]?.attributes ?? {}
  if (array === undefined || !liesOn(array, place['spatial:dimensions'])) return []
  const others = array.dimension_names.slice(0, -2)
  const marked = array.attributes['_FillValue'] === undefined ? url : withOption(url, 'missing=fill')
  const home = isLevel(inspection, folder) ? parentOf(folder) : folder
  const store = home === '' ? marked : `${marked}/${home.split('/').map(encodeURIComponent).join('/')}`
  const variable = nameOf(path)
  const snippets = [{ client: 'zarr-layer on MapLibre', code: zarrLayer({ store, variable, array, others, needsKey }) }]
  const isDrawn = 'spatial:bbox' in place && 'proj:code' in place
  return isDrawn
    ? [{ client: 'OpenLayers', code: openLayers({ store, variable, array, others, needsKey }) }, ...snippets]
    : snippets
}

/** Whether a group is one of the levels that the group above lists: viewers are given all of them. */
function isLevel(inspection: Inspection, folder: string): boolean {
  if (folder === '') return false
  const levels = inspection.groups[parentOf(folder)]?.attributes['multiscales']
  return JSON.stringify(levels ?? null).includes(`"asset":${JSON.stringify(nameOf(folder))}`)
}

/** Unless it says that already. */
function withOption(url: string, option: string): string {
  const name = option.split('=')[0] ?? option
  return url.includes(`;${name}=`) ? url : `${url};${option}`
}

function liesOn({ dimension_names: names, data_type: type }: ArrayInfo, plane: unknown): boolean {
  return (
    Array.isArray(plane) &&
    typeof type === 'string' &&
    type !== 'string' &&
    names.length >= 2 &&
    plane.every((name, i) => names.at(i - 2) === name)
  )
}

interface LayerInput {
  readonly store: string
  readonly variable: string
  readonly array: ArrayInfo
  /** Dimensions besides those of the plane. */
  readonly others: readonly string[]
  readonly needsKey: boolean
}

function openLayers({ store, variable, others, needsKey }: LayerInput): string {
  const pairs = others.map((name) => `${JSON.stringify(name)}: 0`).join(', ')
  const dimensions = others.length === 0 ? '' : `, dimensions: { ${pairs} }`
  return [
    'import WebGLTileLayer from "ol/layer/WebGLTile.js"',
    'import GeoZarr from "ol/source/GeoZarr.js"',
    '',
    ...(needsKey ? ['// This source sends no headers: give it a signed URL (virtual-zarr sign).'] : []),
    'const [low, high] = [0, 1] // of the stored values',
    'const layer = new WebGLTileLayer({',
    `  source: new GeoZarr({ url: ${JSON.stringify(store)}, bands: [${JSON.stringify(variable)}]${dimensions} }),`,
    '  style: { color: ["interpolate", ["linear"], ["band", 1], low, [0, 0, 128], high, [255, 255, 0]] },',
    '})',
  ].join('\n')
}

function zarrLayer({ store, variable, array, others, needsKey }: LayerInput): string {
  const selector = others.map((name) => `${JSON.stringify(name)}: { selected: 0, type: "index" }`)
  const fragment = missingFragment(variable, array)
  return [
    'import { ZarrLayer } from "@carbonplan/zarr-layer"',
    '',
    'map.addLayer(new ZarrLayer({',
    '  id: "store",',
    `  source: ${JSON.stringify(store)},`,
    `  variable: ${JSON.stringify(variable)},`,
    ...(needsKey
      ? ['  transformRequest: (url) => ({ url, headers: { Authorization: "Bearer " + key } }), // key: yours']
      : []),
    ...(selector.length === 0 ? [] : [`  selector: { ${selector.join(', ')} },`]),
    '  clim: [0, 1], // lowest and highest value',
    '  colormap: Array.from({ length: 256 }, (_, i) => [i, i, 128 - (i >> 1)]),',
    ...(fragment === undefined ? [] : [`  customFrag: \`${fragment}\`,`]),
    '}))',
  ].join('\n')
}

interface PackedArray {
  readonly attributes: Attributes
  readonly data_type: unknown
}

/**
 * What zarr-layer has to be told to leave missing points of packed numbers transparent, undefined where it finds them itself. It unpacks
 * values to 32 bits and compares them with the unpacked missing value in 64: they are equal only where 32 bits can hold it.
 */
export function missingFragment(variable: string, { attributes, data_type: type }: PackedArray): string | undefined {
  const { _FillValue: fill, scale_factor: scale = 1, add_offset: offset = 0 } = attributes
  if (typeof type !== 'string' || !/^u?int/.test(type) || !/^[A-Za-z]\w*$/.test(variable)) return undefined
  if (typeof fill !== 'number' || typeof scale !== 'number' || typeof offset !== 'number') return undefined
  const missing = fill * scale + offset
  if (Math.fround(missing) === missing) return undefined
  return `
    if (abs(${variable} - (${float(missing)})) < ${float(Math.abs(scale) / 2)}) discard; // missing
    vec4 c = texture(colormap, vec2((${variable} - clim.x) / (clim.y - clim.x), 0.5));
    fragColor = vec4(c.rgb * opacity, opacity);`
}

/** A number as GLSL wants it: with a point. */
function float(value: number): string {
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
