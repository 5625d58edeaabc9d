import { castScalar } from '../../fill-value/cast.ts'
import type { Scalar } from '../../model/data-type.ts'
import type { AttributeValue, Sentinels } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { attributeValue, scalarsOf } from './attributes.ts'
import type { Variable } from './header.ts'

export interface VariableSentinels {
  readonly sentinels: Sentinels
  readonly missingValue: AttributeValue | undefined
}

export function sentinelsOf(variable: Variable, _context: ParseContext): VariableSentinels {
  const cast = (name: string): Scalar | undefined => {
    const attribute = variable.attributes.find((candidate) => candidate.name === name)
    const [first, ...more] = attribute === undefined ? [] : scalarsOf(attribute)
    return first === undefined || more.length > 0 ? undefined : castScalar(first, variable.type.dataType)?.value
  }
  const missing = variable.attributes.find(({ name }) => name === 'missing_value')
  const sentinels = { fillValue: cast('_FillValue'), missingValue: cast('missing_value') }
  return {
    sentinels,
    missingValue: missing !== undefined && sentinels.missingValue === undefined ? attributeValue(missing) : undefined,
  }
}
