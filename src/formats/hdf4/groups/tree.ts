import { overLimit } from '../../../errors.ts'
import { skippedArray } from '../../../model/skipped-array.ts'
import { type Numbers, uniqueName } from '../../../model/unique-name.ts'
import type { AttributeValue, Member, VirtualGroup } from '../../../model/virtual-store.ts'
import { attributesOf, memberAttributes } from '../attributes.ts'
import { nameOf } from '../structures/attribute-value.ts'
import { TAG } from '../structures/tags.ts'
import type { Vdata } from '../structures/vdata.ts'
import type { Link, Vgroup } from '../structures/vgroup.ts'
import { tableGroup } from '../tables/to-group.ts'
import type { Hdf4World } from '../world.ts'

/** What vgroups may hold besides tables and other vgroups: data sets and images, by the elements that they are known by. */
export type FindMember = (link: Link) => readonly [name: string, member: Member] | undefined

/** Vgroups and tables in which interfaces of the library keep their own data. */
const OWN_VGROUPS = new Set(['CDF0.0', 'Var0.0', 'Dim0.0', 'UDim0.0', 'RIG0.0', 'RI0.0'])
const OWN_TABLES = /^(?:Attr0\.0|DimVal0\.[01]|SDSVar|CoordVar|_HDF_CHK_TBL_|RIATTR0\.0[NC])/

const MOST_DEPTH = 64
/** All members of all groups. */
const MOST_MEMBERS = 20_000

/** Whether a table holds data of its own. */
function isUserTable({ className }: Vdata): boolean {
  return !OWN_TABLES.test(className)
}

function isUserVgroup({ className }: Vgroup): boolean {
  return !OWN_VGROUPS.has(className)
}

/** Makes groups of vgroups: each is shown once, wherever it is linked first. */
export class VgroupTree {
  readonly #world: Hdf4World
  readonly #find: FindMember
  readonly #shown = new Set<number>()
  readonly #shownTables = new Set<number>()
  #members = 0

  constructor(world: Hdf4World, find: FindMember) {
    this.#world = world
    this.#find = find
  }

  /** Vgroups that no other one holds, then tables in none. */
  async addTo(members: Map<string, Member>): Promise<void> {
    const { vgroups, vdatas } = this.#world.catalog
    const inOthers = new Set<number>()
    for (const vgroup of vgroups.values()) {
      if (!isUserVgroup(vgroup)) continue
      for (const { tag, ref } of vgroup.members) if (tag === TAG.vgroup && ref !== vgroup.ref) inOthers.add(ref)
    }
    const numbers: Numbers = new Map()
    const add = async (vgroup: Vgroup) => {
      if (!isUserVgroup(vgroup) || this.#shown.has(vgroup.ref)) return
      const name = uniqueName(nameOf(vgroup.name) || `group_${vgroup.ref}`, members, numbers)
      members.set(name, await this.group(vgroup, name, 0))
    }
    for (const vgroup of vgroups.values()) if (!inOthers.has(vgroup.ref)) await add(vgroup)
    // Those that are left hold each other in a ring.
    for (const vgroup of vgroups.values()) await add(vgroup)
    for (const vdata of vdatas.values()) {
      if (!isUserTable(vdata) || this.#shownTables.has(vdata.ref)) continue
      const name = uniqueName(nameOf(vdata.name) || `table_${vdata.ref}`, members, numbers)
      members.set(name, await this.table(vdata, name))
    }
  }

  async table(vdata: Vdata, path: string): Promise<Member> {
    this.#shownTables.add(vdata.ref)
    return await this.#counted(vdata.fields.length, () => tableGroup(vdata, path, this.#world))
  }

  async group(vgroup: Vgroup, path: string, depth: number): Promise<Member> {
    this.#shown.add(vgroup.ref)
    if (depth > MOST_DEPTH) return skippedArray(overLimit(`groups in groups, more than ${MOST_DEPTH} deep`))
    return await this.#counted(vgroup.members.length, async (): Promise<VirtualGroup> => {
      const members = new Map<string, Member>()
      const numbers: Numbers = new Map()
      for (const link of vgroup.members) {
        const found = await this.#member(link, path, depth)
        if (found !== undefined) members.set(uniqueName(found[0], members, numbers), found[1])
      }
      return { kind: 'group', attributes: this.#attributes(vgroup, path), members }
    })
  }

  /** What it holds is shown elsewhere. */
  hideGroup(ref: number): void {
    this.#shown.add(ref)
  }

  async #member(link: Link, path: string, depth: number): Promise<readonly [name: string, member: Member] | undefined> {
    const { catalog } = this.#world
    const { tag, ref } = link
    if (tag === TAG.vgroup) {
      const vgroup = catalog.vgroups.get(ref)
      if (vgroup === undefined || this.#shown.has(ref)) return undefined
      // An image is a vgroup, too.
      if (!isUserVgroup(vgroup)) return this.#find(link)
      const name = nameOf(vgroup.name) || `group_${ref}`
      return [name, await this.group(vgroup, `${path}/${name}`, depth + 1)]
    }
    if (tag === TAG.vdataHeader) {
      const vdata = catalog.vdatas.get(ref)
      if (vdata === undefined || !isUserTable(vdata) || this.#shownTables.has(ref)) return undefined
      const name = nameOf(vdata.name) || `table_${ref}`
      return [name, await this.table(vdata, `${path}/${name}`)]
    }
    return this.#find(link)
  }

  #attributes(vgroup: Vgroup, path: string): Map<string, AttributeValue> {
    const attributes = memberAttributes(vgroup.members, path, this.#world)
    for (const [name, value] of attributesOf(vgroup.attributes, path, this.#world)) attributes.set(name, value)
    if (vgroup.className !== '' && !attributes.has('class')) attributes.set('class', vgroup.className)
    return attributes
  }

  /** A file of some megabytes can announce millions of members, the same ones again and again. */
  async #counted(members: number, make: () => Promise<Member>): Promise<Member> {
    this.#members += members
    if (this.#members <= MOST_MEMBERS) return await make()
    return skippedArray(overLimit(`more than ${MOST_MEMBERS} members of groups and tables`))
  }
}
