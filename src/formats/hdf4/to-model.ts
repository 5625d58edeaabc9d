import { inParallel } from '../../in-parallel.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../model/virtual-store.ts'
import { memberAttributes } from './attributes.ts'
import { sdsMember } from './sds/to-array.ts'
import { fileVgroup, type Variable, variablesOf } from './sds/variables.ts'
import type { Hdf4World } from './world.ts'

const AT_ONCE = 32

/** The tree of a file. */
export async function toModel(world: Hdf4World): Promise<VirtualGroup> {
  const members = new Map<string, Member>()
  const attributes = new Map<string, AttributeValue>()
  const file = fileVgroup(world)
  if (file !== undefined) {
    for (const [name, value] of memberAttributes(file.members, '', world)) attributes.set(name, value)
    const named = withOwnNames(variablesOf(file, world))
    const arrays = await inParallel(named, AT_ONCE, ([name, variable]) => sdsMember(variable, name, world))
    for (const [i, [name]] of named.entries()) {
      const array = arrays[i]
      if (array !== undefined) members.set(name, array)
    }
  }
  return { kind: 'group', attributes, members }
}

/** A name that occurs again has the data set's index behind it. */
function withOwnNames(variables: readonly Variable[]): (readonly [string, Variable])[] {
  const taken = new Set<string>()
  return variables.map((variable) => {
    const { name, index } = variable
    const own = taken.has(name) || name === '' ? `${name}#${index}` : name
    taken.add(own)
    return [own, variable]
  })
}
