import { attributeSentinel, unsignedAttribute } from '../../fill-value/raw-sentinel.ts'
import { type ReadSentinels, readSentinels } from '../../fill-value/sentinels.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { attributeValue } from './attributes.ts'
import type { Variable } from './header.ts'

/** What marks a missing point of a variable; throws only under `;sentinel=error`: typed sources warn by default (FV-15). */
export function sentinelsOf(variable: Variable, { options, warn }: ParseContext): ReadSentinels {
  return readSentinels({
    dataType: variable.type.dataType,
    fillValue: attributeSentinel(find(variable, '_FillValue')),
    missingValue: attributeSentinel(find(variable, 'missing_value')),
    isUnsigned: unsignedAttribute(find(variable, '_Unsigned')),
    policy: options.sentinel === 'error' ? 'error' : 'warn',
    path: variable.name,
    warn,
  })
}

function find({ attributes }: Variable, name: string): AttributeValue | undefined {
  const attribute = attributes.find((candidate) => candidate.name === name)
  return attribute === undefined ? undefined : attributeValue(attribute)
}
