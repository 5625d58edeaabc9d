import { inlineTexts } from '../../../codecs/own/inline-texts.ts'
import { type ErrorContext, unsupported } from '../../../errors.ts'
import { elementCount } from '../../../model/shape.ts'
import type { Attributes, VirtualArray } from '../../../model/virtual-store.ts'
import type { Datatype } from '../messages/datatype.ts'
import type { Dimensions, NamedDataset } from '../netcdf4.ts'
import type { ValueWorld } from './attribute-value.ts'
import { isObjectReference, referenceAddress } from './references.ts'
import { readWhole, storedValues } from './whole-values.ts'

type Reference = Extract<Datatype, { class: 'reference' }>

interface ReferenceInput {
  readonly named: NamedDataset
  readonly type: Reference
  readonly attributes: Attributes
  readonly place: ErrorContext
}

interface ReferenceWorld {
  readonly values: ValueWorld
  readonly dimensions: Pick<Dimensions, 'namesOf' | 'shapeOf'>
}

/** They are read when the file is opened: what they are is the paths of its objects. */
const MOST_REFERENCES = 65_536

/** References to objects as their paths in the file (cells of MATLAB's files are such); empty text for null references. */
export async function pathArray(input: ReferenceInput, world: ReferenceWorld): Promise<VirtualArray> {
  const { named, type, attributes, place } = input
  if (!isObjectReference(type))
    throw unsupported('HDF5 reference', 'references to parts of objects mean nothing outside of their file')
  const { file } = world.values
  const stored = storedValues(named, MOST_REFERENCES, world, place)
  const bytes = await readWhole(stored, file)
  const paths: string[] = []
  for (let i = 0; i < elementCount(stored.shape); i++) {
    const address = await referenceAddress(bytes.subarray(i * type.size, (i + 1) * type.size), type, world.values)
    const path = address === undefined ? '' : (world.values.pathOf(address) ?? '')
    file.budget.spend(32 + 4 * path.length)
    paths.push(path)
  }
  return { ...inlineTexts(paths, stored.shape), attributes, dimensionNames: world.dimensions.namesOf(named) }
}
