import type { Reduction, VirtualArray } from '../../model/virtual-store.ts'
import { missingNumbers, storedNumberType } from '../stored-numbers.ts'

/** How points become those of an overview: by what they are, or all of them so. */
export type Wish = 'auto' | 'mean' | 'nearest'

/** Attributes of integers that are names and not counts. */
const NAMING = ['flag_values', 'flag_masks', 'flag_meanings', 'color_map', 'colormap', 'palette']

/**
 * How points of an array become those of an overview. Values of which a mean means nothing (names, colours by number, masks, truth
 * values) keep their first point, whatever is wished for where there is no mean at all.
 */
export function reductionOf(array: VirtualArray, wish: Wish): Reduction {
  const { dataType, attributes } = array
  const isNumber = dataType.kind === 'int' || dataType.kind === 'uint' || dataType.kind === 'float'
  const isNamed = NAMING.some((name) => attributes.has(name)) || attributes.get('photometric') === 'mask'
  const isNearest = !isNumber || wish === 'nearest' || (wish === 'auto' && isNamed && dataType.kind !== 'float')
  const readAs = storedNumberType(array)
  return { method: isNearest ? 'nearest' : 'mean', readAs, missing: isNumber ? missingNumbers(array, readAs) : [] }
}
