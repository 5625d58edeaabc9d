import { type Numbers, uniqueName } from '../../model/unique-name.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../model/virtual-store.ts'
import { geolocationAttributes } from '../georeference/hdfeos/geolocation.ts'
import { placedGrid, readEosStructure } from '../georeference/hdfeos/placed-fields.ts'
import type { EosField, EosGrid, EosStructure, EosSwath } from '../georeference/hdfeos/structure.ts'
import { memberAttributes } from './attributes.ts'
import type { FindMember, VgroupTree } from './groups/tree.ts'
import { nameOf } from './structures/attribute-value.ts'
import { TAG } from './structures/tags.ts'
import type { Vgroup } from './structures/vgroup.ts'
import type { Hdf4World } from './world.ts'

/** What grids and swaths are made of. */
export interface EosInput {
  readonly world: Hdf4World
  readonly tree: VgroupTree
  readonly find: FindMember
  /** Of the whole file. */
  readonly attributes: ReadonlyMap<string, AttributeValue>
}

const METADATA = 'StructMetadata.'
/** Geolocation that one field may have. */
const MOST_PLACES = 64

/** Adds a group for each grid and swath: its fields again, along the dimensions that HDF-EOS names, with coordinates. */
export async function addEosGroups(members: Map<string, Member>, input: EosInput): Promise<void> {
  const { world } = input
  const structure = readStructure(input)
  if (structure === undefined) return
  const numbers: Numbers = new Map()
  const vgroups = vgroupsByName(input)
  // Each is shown once.
  const take = (key: string): Vgroup | undefined => {
    const vgroup = vgroups.get(key)
    vgroups.delete(key)
    return vgroup
  }
  for (const grid of structure.grids) {
    const vgroup = take(`GRID/${grid.name}`)
    if (vgroup === undefined) continue
    members.set(uniqueName(grid.name, members, numbers), gridGroup(grid, await partsOf(vgroup, input), world))
  }
  for (const swath of structure.swaths) {
    const vgroup = take(`SWATH/${swath.name}`)
    if (vgroup === undefined) continue
    members.set(uniqueName(swath.name, members, numbers), swathGroup(swath, await partsOf(vgroup, input)))
  }
}

function readStructure({ attributes, world }: EosInput): EosStructure | undefined {
  let text = ''
  for (let part = 0; ; part++) {
    const value = attributes.get(`${METADATA}${part}`)
    if (value === undefined) break
    text += value instanceof Uint8Array ? nameOf(value) : String(value)
  }
  if (text === '') return undefined
  return readEosStructure(text, world.context.warn)
}

/** The vgroups of grids and swaths by what they are and their names. */
function vgroupsByName({ world }: EosInput): Map<string, Vgroup> {
  const found = new Map<string, Vgroup>()
  for (const vgroup of world.catalog.vgroups.values()) {
    const key = `${vgroup.className}/${nameOf(vgroup.name)}`
    if (!found.has(key)) found.set(key, vgroup)
  }
  return found
}

/** The fields of a grid or swath by their names, and its attributes. */
interface Parts {
  readonly fields: ReadonlyMap<string, Member>
  readonly attributes: ReadonlyMap<string, AttributeValue>
}

/** A vgroup with one below it for each kind of fields, and one for attributes; they are shown here and nowhere else. */
async function partsOf(vgroup: Vgroup, { world, tree, find }: EosInput): Promise<Parts> {
  const fields = new Map<string, Member>()
  const attributes = new Map<string, AttributeValue>()
  tree.hideGroup(vgroup.ref)
  for (const { tag, ref } of vgroup.members) {
    const part = tag === TAG.vgroup ? world.catalog.vgroups.get(ref) : undefined
    if (part === undefined) continue
    tree.hideGroup(ref)
    for (const [name, value] of memberAttributes(part.members, nameOf(vgroup.name), world)) attributes.set(name, value)
    for (const link of part.members) {
      const found = find(link) ?? (await fieldInTable(link.tag === TAG.vdataHeader ? link.ref : -1, world, tree))
      if (found !== undefined && !fields.has(found[0])) fields.set(...found)
    }
  }
  return { fields, attributes }
}

/** Fields of one dimension are tables of one column. */
async function fieldInTable(
  ref: number,
  { catalog }: Hdf4World,
  tree: VgroupTree,
): Promise<[string, Member] | undefined> {
  const vdata = catalog.vdatas.get(ref)
  if (vdata === undefined || vdata.fields.length !== 1) return undefined
  const name = nameOf(vdata.name)
  const table = await tree.table(vdata, name)
  const column = table.kind === 'group' ? [...table.members.values()][0] : table
  return column === undefined ? undefined : [name, column]
}

function gridGroup(grid: EosGrid, { fields, attributes }: Parts, { context }: Hdf4World): VirtualGroup {
  const placement = placedGrid(grid, grid.name, context.warn)
  const members = new Map<string, Member>(placement.coordinates)
  for (const field of grid.fields) addField(members, field, fields, placement.attributesOf(field.dimensions))
  return { kind: 'group', attributes, members }
}

function swathGroup(swath: EosSwath, { fields, attributes }: Parts): VirtualGroup {
  const members = new Map<string, Member>()
  for (const field of swath.geolocation) addField(members, field, fields, geolocationAttributes(field.name))
  const present = swath.geolocation.filter(({ name }) => members.has(name)).slice(0, MOST_PLACES)
  for (const field of swath.data) {
    if (!fields.has(field.name)) continue
    const places = present.filter(
      ({ dimensions }) =>
        dimensions.length > 0 && dimensions.every((dimension) => field.dimensions.includes(dimension)),
    )
    const names = places.map(({ name }) => name).join(' ')
    addField(members, field, fields, names === '' ? [] : [['coordinates', names]])
  }
  const maps = swath.maps.map(({ geolocation, data, offset, increment }) => ({ geolocation, data, offset, increment }))
  const about: [string, AttributeValue][] = maps.length === 0 ? [] : [['dimension_maps', maps]]
  // Readers take these for coordinates, also where no field has their dimensions.
  if (present.length > 0) about.push(['coordinates', present.map(({ name }) => name).join(' ')])
  return { kind: 'group', attributes: new Map([...about, ...attributes]), members }
}

/** What its own attributes say stays. */
function addField(
  members: Map<string, Member>,
  { name, dimensions }: EosField,
  fields: ReadonlyMap<string, Member>,
  about: readonly [string, AttributeValue][],
): void {
  const member = fields.get(name)
  if (member === undefined || members.has(name)) return
  if (member.kind !== 'array') {
    members.set(name, member)
    return
  }
  const attributes = new Map([...about, ...member.attributes])
  const isSameRank = dimensions.length === member.shape.length
  members.set(name, { ...member, attributes, dimensionNames: isSameRank ? dimensions : member.dimensionNames })
}
