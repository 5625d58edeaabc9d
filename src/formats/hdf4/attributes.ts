import { isOwnFault } from '../../model/skipped-array.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import { attributeValue, nameOf } from './structures/attribute-value.ts'
import { TAG } from './structures/tags.ts'
import type { Link } from './structures/vgroup.ts'
import type { Hdf4World, KnownValue } from './world.ts'

const ATTRIBUTE_CLASS = 'Attr0.0'

/** The attributes among the members of a vgroup, in their order. */
export function memberAttributes(
  members: readonly Link[],
  path: string,
  world: Hdf4World,
): Map<string, AttributeValue> {
  const refs = members.filter(({ tag, ref }) => {
    const vdata = tag === TAG.vdataHeader ? world.catalog.vdatas.get(ref) : undefined
    return vdata?.className === ATTRIBUTE_CLASS
  })
  return attributesOf(
    refs.map(({ ref }) => ref),
    path,
    world,
  )
}

/** Vdata as attributes; one that can't be read is told of, and costs the others nothing. */
export function attributesOf(refs: readonly number[], path: string, world: Hdf4World): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>()
  for (const ref of refs) {
    const vdata = world.catalog.vdatas.get(ref)
    if (vdata === undefined) continue
    const name = nameOf(vdata.name)
    const value = world.values.get(ref) ?? valueOrFault(ref, world)
    world.values.set(ref, value)
    if (value.kind === 'value') attributes.set(name, value.value)
    else {
      const message = `the attribute "${name}" can't be read: ${value.fault}`
      world.context.warn({ code: 'attribute-skipped', message, path, values: [name] })
    }
  }
  return attributes
}

function valueOrFault(ref: number, { catalog, contents }: Hdf4World): KnownValue {
  const vdata = catalog.vdatas.get(ref)
  const content = contents.get(ref)
  if (vdata === undefined) return { kind: 'fault', fault: 'it is missing' }
  const needed = vdata.records * vdata.recordBytes
  if (needed === 0) return { kind: 'value', value: '' }
  if (content === undefined || content.length < needed) {
    return { kind: 'fault', fault: `${content?.length ?? 'none'} of its ${needed} bytes are in the file` }
  }
  try {
    return { kind: 'value', value: attributeValue(vdata, content) }
  } catch (error) {
    if (!isOwnFault(error)) throw error
    return { kind: 'fault', fault: error.message }
  }
}
