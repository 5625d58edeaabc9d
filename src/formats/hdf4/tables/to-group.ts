import { malformed } from '../../../errors.ts'
import { skippedArray } from '../../../model/skipped-array.ts'
import { type Numbers, uniqueName } from '../../../model/unique-name.ts'
import type { Member, VirtualGroup } from '../../../model/virtual-store.ts'
import { attributesOf as valuesOfAttributes } from '../attributes.ts'
import { nameOf } from '../structures/attribute-value.ts'
import { readStored, type Stored } from '../structures/stored.ts'
import { TAG } from '../structures/tags.ts'
import { attributesOf, type Vdata } from '../structures/vdata.ts'
import { type Hdf4World, holdPieces } from '../world.ts'
import { columnArray } from './column.ts'

/** A vdata as a group of its columns; one that can't be served costs the others nothing. */
export async function tableGroup(vdata: Vdata, path: string, world: Hdf4World): Promise<Member> {
  try {
    const stored = await storedRecords(vdata, world)
    const members = new Map<string, Member>()
    const numbers: Numbers = new Map()
    for (const [place, field] of vdata.fields.entries()) {
      const name = uniqueName(nameOf(field.name) || `column_${place}`, members, numbers)
      const attributes = valuesOfAttributes(attributesOf(vdata, place), `${path}/${name}`, world)
      members.set(
        name,
        orSkipped(() => columnArray({ vdata, field, stored, attributes, path: `${path}/${name}` }, world)),
      )
    }
    return { kind: 'group', attributes: groupAttributes(vdata, path, world), members }
  } catch (error) {
    return skippedArray(error)
  }
}

function groupAttributes(vdata: Vdata, path: string, world: Hdf4World): VirtualGroup['attributes'] {
  const attributes = valuesOfAttributes(attributesOf(vdata), path, world)
  if (vdata.className !== '' && !attributes.has('class')) attributes.set('class', vdata.className)
  return attributes
}

function orSkipped(make: () => Member): Member {
  try {
    return make()
  } catch (error) {
    return skippedArray(error)
  }
}

/** Undefined where no record was written. */
async function storedRecords(vdata: Vdata, world: Hdf4World): Promise<Extract<Stored, { kind: 'pieces' }> | undefined> {
  const { file, context } = world
  const element = file.directory.find(TAG.vdata, vdata.ref)
  if (element === undefined || vdata.records === 0) return undefined
  const stored = await readStored(file, element, { signal: context.signal })
  holdPieces(world, stored)
  if (stored.kind === 'pieces') return stored
  throw malformed(`the records of a table are ${stored.kind}, expected plain or linked`)
}
