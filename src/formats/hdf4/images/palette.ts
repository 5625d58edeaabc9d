import { zeroOf } from '../../../model/data-type.ts'
import { skippedArray } from '../../../model/skipped-array.ts'
import { type Member, NO_SENTINELS } from '../../../model/virtual-store.ts'
import { placeValues } from '../storage/place-values.ts'
import { numberTypeOf } from '../structures/number-type.ts'
import { readStored } from '../structures/stored.ts'
import { TAG } from '../structures/tags.ts'
import type { Hdf4World } from '../world.ts'
import type { Image } from './describe.ts'

const UINT8 = 21
/** Red, green and blue of each value. */
const SHAPE = [256, 3]
const BYTES = 768

/** The colours of an image's values; undefined where it has none, or none of 256 entries of three bytes. */
export async function paletteMember({ name, members }: Image, world: Hdf4World): Promise<Member | undefined> {
  const link = members.find(({ tag }) => tag === TAG.lookupTable)
  const element = link === undefined ? undefined : world.file.directory.find(link.tag, link.ref)
  if (element === undefined || element.length !== BYTES) return undefined
  try {
    const type = numberTypeOf(UINT8)
    const stored = await readStored(world.file, element, { signal: world.context.signal })
    return {
      kind: 'array',
      ...(await placeValues({ shape: SHAPE, type, stored, unwritten: undefined }, world)),
      dataType: type.dataType,
      fillValue: zeroOf(type.dataType),
      fillOrigin: 'zero of the type',
      sentinels: NO_SENTINELS,
      attributes: new Map([['long_name', `palette of ${name}`]]),
      dimensionNames: ['palette_entry', 'palette_colour'],
    }
  } catch (error) {
    return skippedArray(error)
  }
}
