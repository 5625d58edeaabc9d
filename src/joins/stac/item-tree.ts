import { malformed } from '../../errors.ts'
import { scalarFromText } from '../../fill-value/from-text.ts'
import { floatJson } from '../../json/json.ts'
import type { AttributeValue, Diagnostic, SkippedArray, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import { sharedArray } from '../joined-array.ts'
import { attributesOf, type Placement, placementOf } from '../mosaic/placement.ts'
import { groupAttributes } from '../mosaic/placing-attributes.ts'
import { newCoordinate } from '../new-coordinate.ts'
import type { PartTree } from '../tree.ts'
import type { StacAsset, StacItem } from './document.ts'

/** An image of an Item that was read. */
export interface OpenAsset {
  readonly asset: StacAsset
  readonly tree: PartTree
  readonly part: number
}

type Arrays = Map<string, VirtualArray | SkippedArray>

/** Images of one grid: variables of one group. */
interface Grid {
  readonly placement: Placement | undefined
  readonly assets: OpenAsset[]
}

const VARIABLE = 'band_data'

/** One tree of an Item's images: those of the finest grid at the root, others in groups named by their resolution. */
export function itemTree(
  item: StacItem,
  assets: readonly OpenAsset[],
  url: string,
  warn: (diagnostic: Diagnostic) => void,
): PartTree {
  const arrays: Arrays = new Map()
  const groups = new Map<string, VirtualGroup>()
  let root: PartTree['attributes'] = new Map()
  for (const { placement, assets: own } of gridsOf(assets)) {
    const name = arrays.size === 0 ? '' : freeName(resolutionOf(placement), groups)
    const attributes = placedAttributes(placement, own)
    if (name === '') root = attributes
    else groups.set(name, { kind: 'group', attributes, members: new Map() })
    addGrid(name, own, arrays, warn)
  }
  if (arrays.size === 0) throw malformed(`${item.id} has no asset that is an image`)
  return { url, attributes: root, arrays, groups, bounded: new Map() }
}

/** Grids by the size of their pixels, the finest first; what lies nowhere comes last. */
function gridsOf(assets: readonly OpenAsset[]): readonly Grid[] {
  const grids = new Map<string, Grid>()
  for (const asset of assets) {
    const placement = placementOf(asset.tree, '', new Map())
    const shape = imagesOf(asset.tree)[0]?.image
    const size = shape?.kind === 'array' ? shape.shape.slice(-2).join('x') : ''
    const where = placement?.transform.map((number) => number.toPrecision(12)).join(' ') ?? 'nowhere'
    const key = `${where} ${size} ${placement?.system.code ?? placement?.system.wkt ?? ''}`
    const grid = grids.get(key) ?? { placement, assets: [] }
    grids.set(key, grid)
    grid.assets.push(asset)
  }
  const pixel = ({ placement }: Grid) => Math.abs(placement?.transform[0] ?? Number.POSITIVE_INFINITY)
  return [...grids.values()].sort((one, other) => pixel(one) - pixel(other) || 0)
}

function resolutionOf(placement: Placement | undefined): string {
  if (placement === undefined) return 'unplaced'
  const size = Number(Math.abs(placement.transform[0]).toPrecision(6))
  const isGeographic = /^GEOG/.test(placement.system.wkt ?? '')
  return `${size}${isGeographic ? 'deg' : 'm'}`
}

function freeName(name: string, groups: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`
    if (!groups.has(candidate)) return candidate
  }
}

function placedAttributes(placement: Placement | undefined, [first]: readonly OpenAsset[]): PartTree['attributes'] {
  const own = first === undefined ? new Map<string, AttributeValue>() : attributesOf(first.tree, '')
  if (placement === undefined) return own
  const { width, height, transform, dimensions, system } = placement
  return groupAttributes(own, { level: { name: '', width, height, transform }, dimensions, code: system.code })
}

/** The arrays of a TIFF's image: one, or one for each band where they differ in scale, offset or nodata value. */
export function imagesOf({
  arrays,
}: PartTree): readonly { readonly name: string; readonly image: VirtualArray | SkippedArray }[] {
  const whole = arrays.get(VARIABLE)
  if (whole !== undefined) return [{ name: VARIABLE, image: whole }]
  return [...arrays].flatMap(([name, image]) => (/^band_\d+$/.test(name) ? [{ name, image }] : []))
}

/** What the document says of one band, where it is an array of its own. */
function saidOf(asset: StacAsset, name: string, count: number): StacAsset {
  if (name === VARIABLE) return asset
  const own = asset.bands.length === count ? asset.bands[Number(name.slice('band_'.length)) - 1] : undefined
  return { ...asset, bands: own === undefined ? [] : [own] }
}

function addGrid(
  group: string,
  assets: readonly OpenAsset[],
  arrays: Arrays,
  warn: (diagnostic: Diagnostic) => void,
): void {
  const at = (name: string) => (group === '' ? name : `${group}/${name}`)
  for (const { asset, tree, part } of assets) {
    const key = asset.key.replaceAll('/', '_')
    const images = imagesOf(tree)
    for (const { name: own, image } of images) {
      const path = at(own === VARIABLE ? key : `${key}_${own}`)
      if (image.kind === 'skipped') {
        arrays.set(path, image)
        continue
      }
      const named = {
        ...image,
        dimensionNames: image.dimensionNames?.map((name) => (name === 'band' ? `${key}_band` : name)),
      }
      const { maskedBy, ...described } = withSaid(named, saidOf(asset, own, images.length), path, warn)
      const mask = maskedBy?.kind === 'array' ? sharedArray(maskedBy, part) : maskedBy
      arrays.set(path, { ...sharedArray(described, part), maskedBy: mask })
    }
    for (const [name, array] of tree.arrays) {
      if (array.kind !== 'array' || name.includes('/') || images.some((image) => image.name === name)) continue
      if (name === 'band') arrays.set(at(`${key}_band`), bandNames(asset, `${key}_band`, array, part))
      else if (!arrays.has(at(name))) arrays.set(at(name), sharedArray(array, part))
    }
  }
}

function bandNames({ bands }: StacAsset, name: string, numbers: VirtualArray, part: number): VirtualArray {
  const names = bands.flatMap((band) => band.name ?? [])
  const isNamed = names.length === numbers.shape[0] && new Set(names).size === names.length
  return isNamed ? newCoordinate(name, names) : sharedArray({ ...numbers, dimensionNames: [name] }, part)
}

/** What the document says of an asset, where the file says nothing itself. */
function withSaid(
  array: VirtualArray,
  { bands, title, key }: StacAsset,
  path: string,
  warn: (diagnostic: Diagnostic) => void,
): VirtualArray {
  const attributes = new Map(array.attributes)
  const said = <T>(read: (band: (typeof bands)[number]) => T | undefined): T | undefined => {
    const [first, ...others] = bands.map(read)
    return others.every((other) => other === first) ? first : undefined
  }
  const [scale, offset] = [said(({ scale: own }) => own), said(({ offset: own }) => own)]
  const differs = (name: 'scale' | 'offset' | 'nodata') => bands.some((band) => band[name] !== bands[0]?.[name])
  for (const name of ['scale', 'offset', 'nodata'] as const) {
    if (!differs(name)) continue
    warn({
      code: 'stac-bands-differ',
      message: `the bands of the asset ${key} differ in ${name}, of which an array has one: it is left out`,
      path,
    })
  }
  if (!attributes.has('scale_factor') && !attributes.has('add_offset')) {
    if (scale !== undefined && scale !== 1) attributes.set('scale_factor', floatJson(scale))
    if (offset !== undefined && offset !== 0) attributes.set('add_offset', floatJson(offset))
  }
  const unit = said(({ unit: own }) => own)
  if (unit !== undefined && !attributes.has('units')) attributes.set('units', unit)
  if (title !== undefined && !attributes.has('long_name')) attributes.set('long_name', title)
  const [first] = bands
  if (first !== undefined && bands.length === 1)
    for (const [name, value] of first.optics)
      if (!attributes.has(name)) attributes.set(name, typeof value === 'number' ? floatJson(value) : value)
  const nodata = said(({ nodata: own }) => own)
  return { ...array, attributes, sentinels: withNodata(array, nodata) }
}

/** A value that marks missing points, where the file names none. */
function withNodata({ sentinels, dataType }: VirtualArray, nodata: string | undefined): VirtualArray['sentinels'] {
  if (nodata === undefined || sentinels.fillValue !== undefined || sentinels.missingValue !== undefined)
    return sentinels
  const scalar = scalarFromText(nodata, dataType)
  return scalar.kind === 'ok' ? { fillValue: scalar.value, missingValue: undefined } : sentinels
}
