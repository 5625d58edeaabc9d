import { malformed } from '../../errors.ts'
import { encodingsOf, reversedArray, specOf, storedArray } from '../../model/composed-array.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { missingIndex } from '../../model/plain-indexes.ts'
import { NO_SENTINELS, type SkippedArray, type VirtualArray } from '../../model/virtual-store.ts'
import { isSameScalar } from '../differences.ts'
import { finiteNumber, hasSentinels, type Meaning, notANumber, sentinelsOf } from '../meaning.ts'
import type { OpenPart } from '../parts.ts'
import { reversedAxes } from './grid.ts'
import { type Laid, placedArray } from './placed-array.ts'
import type { Mosaic, Raster } from './variable.ts'

const ZERO = { kind: 'number', value: 0 } as const
const VALID = { kind: 'number', value: 255 } as const

interface Masked extends Raster {
  readonly values: VirtualArray
  readonly mask: VirtualArray | undefined
}

/** What says where a variable of a mosaic is valid: any of its rasters is there. Undefined where none has a mask. */
export function maskOf(mosaic: Mosaic, path: string, meaning: Meaning): VirtualArray | SkippedArray | undefined {
  const rasters = mosaic.rasters.flatMap((raster): Masked[] => {
    const values = raster.tree.arrays.get(path)
    if (values?.kind !== 'array') return []
    return [{ ...raster, values, mask: usable(values, raster.tree.url) }]
  })
  const first = rasters.find(({ mask }) => mask !== undefined)?.mask
  if (first === undefined) return undefined
  if (mosaic.steps !== undefined) return skipped('masks of rasters along a dimension of their own are not joined')
  if (rasters.some(({ mask, values }) => mask === undefined && mayLack(values)))
    return skipped('some sources have a mask, and others a value (or NaN) that marks missing points')
  if (rasters.some(({ mask, values }) => mask !== undefined && isRemade(values, meaning)))
    return skipped('masks decide alone which points are valid, and values that mark missing points were made one')
  return placedMask(mosaic, path, first, rasters)
}

/** Whether some points of a raster without a mask may be missing. */
function mayLack(values: VirtualArray): boolean {
  return sentinelsOf(values).length > 0 || notANumber(values.dataType).length > 0
}

/** Whether numbers that a mask may call valid are read as missing. */
function isRemade(values: VirtualArray, { packing, sentinels }: Meaning): boolean {
  const isMarked = sentinelsOf(values).flatMap(finiteNumber).length > 0
  return isMarked && (packing === 'decoded' || !hasSentinels(values, sentinels))
}

/** Only bytes are known to be zero where nothing is valid. */
function usable({ maskedBy }: VirtualArray, url: string): VirtualArray | undefined {
  if (maskedBy === undefined) return undefined
  if (maskedBy.kind === 'skipped') throw malformed(`the mask of ${url} is not served: ${maskedBy.reason}`)
  if (maskedBy.dataType.kind === 'uint' && maskedBy.dataType.bits === 8) return maskedBy
  throw malformed(`the mask of ${url} is not of bytes or bits`)
}

function skipped(reason: string): SkippedArray {
  return { kind: 'skipped', code: 'unsupported-feature', reason }
}

function placedMask(
  { boxes, open, height, width, dimensions: [rows, columns] }: Mosaic,
  path: string,
  first: VirtualArray,
  rasters: readonly Masked[],
): VirtualArray {
  const row = first.dimensionNames?.indexOf(rows) ?? 0
  const column = first.dimensionNames?.indexOf(columns) ?? 1
  const shape = first.shape.with(row, height).with(column, width)
  const encodings = encodingsOf(first)
  const like = { ...specOf(first), shape, fillValue: ZERO, sentinels: NO_SENTINELS, encodings }
  const known = new Map(rasters.map((raster) => [raster.place, raster.box]))
  const masks = new WeakMap<VirtualArray, VirtualArray>()
  const laid = ({ tree }: Pick<OpenPart, 'tree'>, place: number): Laid | undefined => {
    const box = known.get(place)
    const values = tree.arrays.get(path)
    if (box === undefined || values?.kind !== 'array') return undefined
    const shape = first.shape.with(row, box.height).with(column, box.width)
    const array =
      masks.get(values) ??
      reversedArray(usable(values, tree.url) ?? everywhere(first, shape), reversedAxes(box, [row, column]))
    masks.set(values, array)
    const isFillAlike = isSameScalar(array.fillValue, ZERO, array.dataType)
    return { array, over: { invalid: [ZERO] }, isFillAlike, isInvalidAlike: true }
  }
  return placedArray<OpenPart>({ like, axes: { step: undefined, row, column }, boxes, open, laid })
}

/** The mask of a raster that has none. */
function everywhere(like: VirtualArray, shape: readonly number[]): VirtualArray {
  const spec = { ...like, shape, fillValue: VALID }
  const chunks = missingIndex(shape, like.chunkShape)
  return storedArray(spec, { encodings: [rawEncoding('little')], edges: 'padded', chunks })
}
