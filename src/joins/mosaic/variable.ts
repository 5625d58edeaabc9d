import { reversedArray } from '../../model/composed-array.ts'
import type { Diagnostic, VirtualArray } from '../../model/virtual-store.ts'
import { NOT_ALIGNED } from '../align/alignment.ts'
import { withNewAxis } from '../change.ts'
import { commonMeaning, type Found, meaningText } from '../common-meaning.ts'
import { isSameScalar, shapeDifference, valueText } from '../differences.ts'
import { hasAllChunks, inMeaning, type Pattern, refuse } from '../fit.ts'
import { fillOf } from '../join-trees.ts'
import { isEqual, type JoinedSpec } from '../joined-array.ts'
import { likeOf } from '../joined-shape.ts'
import { isMissingValue, notANumber } from '../meaning.ts'
import type { PartTree } from '../tree.ts'
import type { Boxes } from './boxes.ts'
import { type GridBox, reversedAxes } from './grid.ts'
import { maskOf } from './mask.ts'
import { type Laid, type Laying, placedArray } from './placed-array.ts'

/** Rasters at their places, and the way to each. */
export interface Mosaic {
  readonly height: number
  readonly width: number
  /** Of the rasters that exist. */
  readonly rasters: readonly Raster[]
  readonly boxes: Boxes
  readonly dimensions: readonly [string, string]
  /** A dimension that the rasters have not, and how long it is: each lies at one place of it. */
  readonly steps: { readonly name: string; readonly length: number } | undefined
  readonly open: Laying['open']
  warn(diagnostic: Diagnostic): void
}

/** A raster that was read, its place among all and where it lies. */
export interface Raster {
  readonly tree: PartTree
  readonly place: number
  readonly box: GridBox
}

/** One variable of rasters as one array. */
export function mosaicVariable(mosaic: Mosaic, path: string, found: readonly [Found, ...Found[]]): VirtualArray {
  const [{ array: first, tree: firstTree }] = found
  const { steps, warn, boxes } = mosaic
  const meaning = commonMeaning(path, found, { hasGaps: true, isWhole: true })
  const text = meaningText(first, meaning)
  if (text !== undefined) warn({ code: 'join-reexpressed', message: `${path} ${text}`, path })
  const fillValue = fillOf(first, meaning, true)
  const shift = steps === undefined ? 0 : 1
  const axes = axesOf(mosaic, first)
  const isNew = steps !== undefined
  const dimension = steps?.name ?? mosaic.dimensions[0]
  const pattern: Pattern = {
    path,
    dimension,
    axis: isNew ? 0 : axes.row,
    isNew,
    first,
    firstUrl: firstTree.url,
    fillValue,
    meaning,
    alignment: NOT_ALIGNED,
  }
  const like = likeIn(mosaic, pattern, found, axes)
  if (!isMissingValue(fillValue, meaning) && hasGaps(mosaic)) {
    const message = `${path} reads as ${String('value' in fillValue ? fillValue.value : '')} where no source lies, which no attribute says is missing`
    warn({ code: 'mosaic-gaps', message, path })
  }
  const laid = layer(pattern, mosaic)
  for (const { tree, place } of mosaic.rasters) laid({ tree, part: undefined }, place)
  const placed = { step: isNew ? 0 : undefined, row: axes.row + shift, column: axes.column + shift }
  const array = placedArray({ like, axes: placed, boxes, open: mosaic.open, laid })
  const maskedBy = maskOf(mosaic, path, meaning)
  return maskedBy === undefined ? array : { ...array, maskedBy }
}

function axesOf({ dimensions: [rows, columns] }: Mosaic, { dimensionNames }: VirtualArray) {
  return { row: dimensionNames?.indexOf(rows) ?? 0, column: dimensionNames?.indexOf(columns) ?? 0 }
}

type PlaneAxes = ReturnType<typeof axesOf>

/** The whole array but for its chunks: in the commonest chunk shape, no longer than the longest raster. */
function likeIn(mosaic: Mosaic, pattern: Pattern, found: readonly Found[], { row, column }: PlaneAxes): JoinedSpec {
  const { height, width, steps } = mosaic
  const shift = steps === undefined ? 0 : 1
  const like = likeOf(pattern, found, steps?.length ?? height)
  const shape = like.shape.with(row + shift, height).with(column + shift, width)
  const longest = Math.max(1, ...found.map(({ array }) => array.shape[column] ?? 1))
  const chunkShape = like.chunkShape.with(column + shift, Math.min(like.chunkShape[column + shift] ?? 1, longest))
  const attributes = new Map([...like.attributes].filter(([name]) => isCommon(name, like, found)))
  const encodings = isEqual(chunkShape, like.chunkShape) ? like.encodings : []
  return { ...like, shape, chunkShape, attributes, encodings }
}

/** Statistics, dates and the like are of one file; what numbers mean was made one before. */
function isCommon(name: string, { attributes }: Pick<VirtualArray, 'attributes'>, found: readonly Found[]): boolean {
  const [first] = found
  const own = valueText(first?.array.attributes.get(name))
  if (own !== valueText(attributes.get(name)) || MEANT.has(name)) return true
  return !name.startsWith('STATISTICS_') && found.every(({ array }) => valueText(array.attributes.get(name)) === own)
}

const MEANT: ReadonlySet<string> = new Set(['scale_factor', 'add_offset', '_Unsigned', 'units', 'grid_mapping'])

/** How the variable of one raster is laid into the mosaic. */
function layer(pattern: Pattern, mosaic: Mosaic): Laying['laid'] {
  const known = new WeakMap<PartTree, Laid | undefined>()
  const boxes = new Map(mosaic.rasters.map(({ place, box }) => [place, box]))
  return ({ tree }, place) => {
    const box = boxes.get(place)
    if (!known.has(tree) && box !== undefined) known.set(tree, laidOf(pattern, mosaic, tree, box))
    return known.get(tree)
  }
}

function laidOf(pattern: Pattern, mosaic: Mosaic, tree: PartTree, box: GridBox): Laid | undefined {
  const { path, first, meaning, fillValue, isNew, dimension } = pattern
  const array = tree.arrays.get(path)
  if (array?.kind !== 'array') return undefined
  const { row, column } = axesOf(mosaic, first)
  // Rows and columns are as many as its own placement says.
  const expected = { ...first, shape: first.shape.with(row, box.height).with(column, box.width) }
  refuse(pattern, tree, shapeDifference(expected, array))
  const { maskedBy } = array
  const { maskedBy: _same, ...own } = inMeaning(pattern, tree, array)
  const axes = reversedAxes(box, [row, column])
  const upright = reversedArray(own, axes)
  const mask = maskedBy?.kind === 'array' ? reversedMask(maskedBy, own, axes) : undefined
  const invalid = mask === undefined ? [...meaning.sentinels, ...notANumber(meaning.dataType)] : []
  return {
    array: isNew ? withNewAxis(upright, dimension) : upright,
    over: { invalid, mask },
    isFillAlike: isSameScalar(own.fillValue, fillValue, own.dataType) || hasAllChunks(array),
    isInvalidAlike: true,
  }
}

/** A mask has the axes of what it lies over, or the last of them. */
function reversedMask(mask: VirtualArray, { shape }: VirtualArray, axes: readonly number[]): VirtualArray {
  const before = shape.length - mask.shape.length
  return reversedArray(
    mask,
    axes.map((axis) => axis - before),
  )
}

/** Whether some pixel is certainly not covered. */
function hasGaps({ rasters, height, width, steps }: Mosaic): boolean {
  const covered = rasters.reduce((sum, { box }) => sum + box.height * box.width, 0)
  return covered < height * width * (steps?.length ?? 1)
}
