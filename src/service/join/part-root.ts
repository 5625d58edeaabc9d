import { invalidRequest, VirtualZarrError } from '../../errors.ts'
import { withPackingApplied } from '../../joins/decoded.ts'
import type { Diagnostic, VirtualNode } from '../../model/virtual-store.ts'
import { withDimensionNames } from '../../views/dimensions.ts'
import { withPortableTypes } from '../../views/portable-types.ts'
import { subGroup } from '../../views/subset.ts'
import { type OptionTexts, parseStoreOptions, type StoreOptions } from '../store-options.ts'

/** Options that say how a source is read; the others are about the store, which is the join's. */
const OF_SOURCES = ['group', 'format', 'layout', 'sentinel', 'null_fill', 'migrate_fill', 'packing']

/** Reads `options` of a join document. */
export function readPartOptions(texts: OptionTexts): StoreOptions {
  for (const name of texts.keys()) {
    if (!OF_SOURCES.includes(name)) {
      throw invalidRequest(`options.${name} of a join is not about its sources, which take ${OF_SOURCES.join(', ')}`, {
        option: name,
      })
    }
  }
  const options = parseStoreOptions(texts)
  if (texts.has('packing') && options.packing !== 'decoded')
    throw invalidRequest('options.packing of a join is decoded, or is left out', { option: 'packing' })
  return options
}

/** The tree of a source as a join takes it: of portable types, every dimension named. */
export function partRoot(
  root: VirtualNode,
  { group, packing }: Partial<Pick<StoreOptions, 'group' | 'packing'>>,
  warn: (diagnostic: Diagnostic) => void,
): VirtualNode {
  const chosen = group === undefined ? root : subGroup(root, group)
  const whole = packing === 'decoded' ? withPackingApplied(chosen, { hasMasks: false, warn }) : chosen
  const portable = withPortableTypes(whole, warn)
  if (portable.kind === 'skipped') throw new VirtualZarrError(portable.code, portable.reason)
  return withDimensionNames(portable, warn)
}
