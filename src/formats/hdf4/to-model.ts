import { inParallel } from '../../in-parallel.ts'
import { type Numbers, uniqueName } from '../../model/unique-name.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../model/virtual-store.ts'
import { fileNotes } from './annotations.ts'
import { memberAttributes } from './attributes.ts'
import { addEosGroups } from './eos-groups.ts'
import { type FindMember, VgroupTree } from './groups/tree.ts'
import { imagesOf } from './images/describe.ts'
import { paletteMember } from './images/palette.ts'
import { imageMember } from './images/to-array.ts'
import { numericGroups } from './sds/numeric-groups.ts'
import { sdsMember } from './sds/to-array.ts'
import { fileVgroup, type Variable, variablesOf } from './sds/variables.ts'
import { TAG } from './structures/tags.ts'
import type { Hdf4World } from './world.ts'

const AT_ONCE = 32

/** The tree of a file: data sets in the root, then its groups and tables. */
export async function toModel(world: Hdf4World): Promise<VirtualGroup> {
  warnOfFaults(world)
  const members = new Map<string, Member>()
  const attributes = new Map<string, AttributeValue>(fileNotes(world))
  const byElement = new Map<string, readonly [string, Member]>()
  await addDataSets({ members, attributes, byElement }, world)
  await addImages(members, byElement, world)
  const find = dataSets(byElement)
  const tree = new VgroupTree(world, find)
  await addEosGroups(members, { world, tree, find, attributes })
  await tree.addTo(members)
  return { kind: 'group', attributes, members }
}

interface Root {
  readonly members: Map<string, Member>
  readonly attributes: Map<string, AttributeValue>
  /** Members by the elements that vgroups know them by. */
  readonly byElement: Map<string, readonly [string, Member]>
}

/** Those of the SD interface; without any, those of the older one. */
async function addDataSets({ members, attributes, byElement }: Root, world: Hdf4World): Promise<void> {
  const file = fileVgroup(world)
  const old = file === undefined ? await numericGroups(world) : undefined
  if (file !== undefined) {
    for (const [name, value] of memberAttributes(file.members, '', world)) attributes.set(name, value)
  }
  const named = withOwnNames(file === undefined ? (old?.variables ?? []) : variablesOf(file, world))
  const arrays = await inParallel(named, AT_ONCE, ([name, variable]) => sdsMember(variable, name, world))
  for (const [i, [name, variable]] of named.entries()) {
    const array = arrays[i]
    if (array === undefined) continue
    members.set(name, array)
    for (const { tag, ref } of variable.vgroup.members) byElement.set(`${tag}/${ref}`, [variable.name, array])
  }
  for (const [name, scale] of old?.coordinates ?? []) if (!members.has(name)) members.set(name, scale)
}

/** Images stand in the root, each with its palette. */
async function addImages(
  members: Map<string, Member>,
  byElement: Map<string, readonly [string, Member]>,
  world: Hdf4World,
): Promise<void> {
  const images = imagesOf(world)
  const made = await inParallel(images, AT_ONCE, async (image) => ({
    image,
    array: await imageMember(image, world),
    palette: await paletteMember(image, world),
  }))
  const numbers: Numbers = new Map()
  for (const { image, array, palette } of made) {
    const name = uniqueName(image.name, members, numbers)
    const paletteName = `${name}_palette`
    const named =
      palette === undefined || array.kind !== 'array'
        ? array
        : { ...array, attributes: new Map([...array.attributes, ['palette', paletteName]]) }
    members.set(name, named)
    if (palette !== undefined) members.set(uniqueName(paletteName, members, numbers), palette)
    byElement.set(image.key, [name, named])
  }
}

/** Vgroups name data sets by their numeric data group, or by the data itself; and images by theirs. */
const NAMED_TAGS: readonly number[] = [TAG.numericGroup, TAG.scienceGroup, TAG.sdData, TAG.imageGroup, TAG.vgroup]

function dataSets(byElement: ReadonlyMap<string, readonly [string, Member]>): FindMember {
  return ({ tag, ref }) => (NAMED_TAGS.includes(tag) ? byElement.get(`${tag}/${ref}`) : undefined)
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

const MOST_NAMED = 20

function warnOfFaults({ catalog, context }: Hdf4World): void {
  const { faults } = catalog
  const [first] = faults
  if (first === undefined) return
  const message = `${faults.length} elements can't be read, and what they describe is missing: ${first.fault.message}`
  context.warn({ code: 'element-skipped', message, values: faults.slice(0, MOST_NAMED).map(({ name }) => name) })
}
