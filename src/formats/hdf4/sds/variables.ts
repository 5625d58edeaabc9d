// How the SD interface (mfhdf) keeps data sets: a vgroup of class CDF0.0 holds one of class Var0.0 for each of them, and one of class
// Dim0.0 or UDim0.0 for each dimension.
import { overBudget } from '../../../errors.ts'
import type { AttributeValue } from '../../../model/virtual-store.ts'
import { nameOf } from '../structures/attribute-value.ts'
import { TAG } from '../structures/tags.ts'
import type { Vgroup } from '../structures/vgroup.ts'
import type { Hdf4World } from '../world.ts'

/** A data set as its vgroup describes it. */
export interface Variable {
  readonly name: string
  /** Of all data sets of the file: what the library knows it by. */
  readonly index: number
  readonly vgroup: Vgroup
  readonly dimensions: readonly Dimension[]
  /** Where they are not members of the vgroup. */
  readonly attributes?: ReadonlyMap<string, AttributeValue> | undefined
}

export interface Dimension {
  readonly name: string
  readonly length: number | undefined
  readonly isUnlimited: boolean
}

/** The library itself knows no file of more than 5,000. */
const MOST_VARIABLES = 20_000
const FILE_CLASS = 'CDF0.0'
const VARIABLE_CLASS = 'Var0.0'
const DIMENSION_CLASSES = ['Dim0.0', 'UDim0.0']
const UNLIMITED_CLASS = 'UDim0.0'

/** The vgroup of all data sets; undefined in a file without any. */
export function fileVgroup({ catalog }: Hdf4World): Vgroup | undefined {
  return [...catalog.vgroups.values()].find(({ className }) => className === FILE_CLASS)
}

/** The data sets, in the order in which the library counts them. */
export function variablesOf(file: Vgroup, world: Hdf4World): Variable[] {
  const dimensions = new Map<string, Dimension>()
  for (const vgroup of vgroupsIn(file, world)) {
    if (!DIMENSION_CLASSES.includes(vgroup.className)) continue
    const dimension = dimensionOf(vgroup, world)
    // Those of one name are one dimension, the first of them.
    if (!dimensions.has(dimension.name)) dimensions.set(dimension.name, dimension)
  }
  const found = new Set(vgroupsIn(file, world).filter(({ className }) => className === VARIABLE_CLASS))
  if (found.size > MOST_VARIABLES) throw overBudget(`more than ${MOST_VARIABLES} data sets`)
  return [...found].map((vgroup, index) => ({
    name: nameOf(vgroup.name),
    index,
    vgroup,
    dimensions: vgroupsIn(vgroup, world)
      .filter(({ className }) => DIMENSION_CLASSES.includes(className))
      .map((own) => dimensions.get(nameOf(own.name)) ?? dimensionOf(own, world)),
  }))
}

function vgroupsIn({ members }: Vgroup, { catalog }: Hdf4World): Vgroup[] {
  return members.flatMap(({ tag, ref }) => (tag === TAG.vgroup ? (catalog.vgroups.get(ref) ?? []) : []))
}

/** Its length is the value of a vdata, or in old files how many records that has. */
function dimensionOf(vgroup: Vgroup, { catalog, contents }: Hdf4World): Dimension {
  const about = { name: nameOf(vgroup.name), isUnlimited: vgroup.className === UNLIMITED_CLASS }
  for (const { tag, ref } of vgroup.members) {
    const vdata = tag === TAG.vdataHeader ? catalog.vdatas.get(ref) : undefined
    if (vdata?.className === 'DimVal0.0') return { ...about, length: vdata.records }
    const content = contents.get(ref)
    if (vdata?.className === 'DimVal0.1' && content !== undefined && content.length >= 4) {
      return { ...about, length: new DataView(content.buffer, content.byteOffset).getUint32(0) }
    }
  }
  return { ...about, length: undefined }
}
