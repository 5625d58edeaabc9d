import { malformed } from '../../../errors.ts'
import { sentinelsAmong, withoutSentinels } from '../../../fill-value/sentinels.ts'
import { elementCount } from '../../../model/shape.ts'
import { skippedArray } from '../../../model/skipped-array.ts'
import type { AttributeValue, Member, VirtualArray } from '../../../model/virtual-store.ts'
import { memberAttributes } from '../attributes.ts'
import { placeValues } from '../storage/place-values.ts'
import { cursorOf } from '../structures/hdf4-file.ts'
import { type NumberType, parseNumberType } from '../structures/number-type.ts'
import { lengthOf, readStored, type Stored } from '../structures/stored.ts'
import { TAG } from '../structures/tags.ts'
import { type Hdf4World, holdPieces } from '../world.ts'
import { fillOf } from './fill.ts'
import type { Variable } from './variables.ts'

/** A data set as an array; one that can't be served costs the others nothing. */
export async function sdsMember(variable: Variable, path: string, world: Hdf4World): Promise<Member> {
  try {
    return await sdsArray(variable, path, world)
  } catch (error) {
    return skippedArray(
      error,
      variable.dimensions.map(({ name }) => name),
    )
  }
}

async function sdsArray(variable: Variable, path: string, world: Hdf4World): Promise<VirtualArray> {
  const { file, context } = world
  const type = numberTypeOfVariable(variable, world)
  const data = refOf(variable, TAG.sdData)
  const element = data === undefined ? undefined : file.directory.find(TAG.sdData, data)
  const stored = element === undefined ? undefined : await readStored(file, element, { signal: context.signal })
  holdPieces(world, stored)
  const shape = shapeOf(variable, type, stored, world)
  const attributes = withNotes(variable, ownAttributes(variable, path, world), world)
  const read = sentinelsAmong(attributes, { dataType: type.dataType, path }, context)
  const { unwritten, ...fill } = fillOf(type, read.sentinels, stored)
  warnOfCalibration(attributes, path, world)
  return {
    kind: 'array',
    dataType: type.dataType,
    ...fill,
    ...(await placeValues({ shape, type, stored, unwritten }, world)),
    sentinels: read.sentinels,
    attributes: withoutSentinels(attributes, read),
    dimensionNames: variable.dimensions.map(({ name }) => name || null),
  }
}

function ownAttributes({ attributes, vgroup }: Variable, path: string, world: Hdf4World): Map<string, AttributeValue> {
  return attributes === undefined ? memberAttributes(vgroup.members, path, world) : new Map(attributes)
}

/** Labels and descriptions of it, under names that no attribute has. */
function withNotes(
  { vgroup }: Variable,
  attributes: Map<string, AttributeValue>,
  { notes }: Hdf4World,
): Map<string, AttributeValue> {
  for (const { tag, ref } of vgroup.members) {
    for (const [name, value] of notes.get(`${tag}/${ref}`) ?? []) if (!attributes.has(name)) attributes.set(name, value)
  }
  return attributes
}

function refOf({ vgroup }: Variable, tag: number): number | undefined {
  return vgroup.members.find((member) => member.tag === tag)?.ref
}

function numberTypeOfVariable(variable: Variable, { catalog }: Hdf4World): NumberType {
  const ref = refOf(variable, TAG.numberType)
  const bytes = ref === undefined ? undefined : catalog.bytesOf(TAG.numberType, ref)
  if (bytes === undefined || bytes.length < 4) throw malformed(`"${variable.name}" has no number type`)
  return parseNumberType(bytes)
}

/** An unlimited dimension is as long as the data set's own values reach. */
function shapeOf(
  { dimensions, name, ...variable }: Variable,
  type: NumberType,
  stored: Stored | undefined,
  world: Hdf4World,
): number[] {
  const described = describedShape({ dimensions, name, ...variable }, world)
  const shape = dimensions.map(({ length }, axis) => {
    const found = length ?? described?.[axis]
    if (found === undefined) throw malformed(`the length of dimension ${axis} of "${name}" is not in the file`)
    return found
  })
  if (dimensions[0]?.isUnlimited === true) shape[0] = recordsIn(shape.slice(1), type, stored)
  if (!Number.isSafeInteger(elementCount(shape) * type.size))
    throw malformed(`an array of shape [${shape}] is too large`)
  return shape
}

function recordsIn(record: readonly number[], { size }: NumberType, stored: Stored | undefined): number {
  if (stored === undefined) return 0
  if (stored.kind === 'chunked') return stored.shape[0] ?? 0
  const bytes = stored.kind === 'pieces' ? lengthOf(stored.pieces) : stored.length
  const recordBytes = elementCount(record) * size
  return recordBytes === 0 ? 0 : Math.floor(bytes / recordBytes)
}

/** The lengths in the data set's own dimension record. */
function describedShape(variable: Variable, { catalog, file }: Hdf4World): number[] | undefined {
  const ref = refOf(variable, TAG.sdDimensions)
  const bytes = ref === undefined ? undefined : catalog.bytesOf(TAG.sdDimensions, ref)
  if (bytes === undefined) return undefined
  const cursor = cursorOf(file, bytes, { offset: 0 })
  const rank = cursor.u16()
  return rank === variable.dimensions.length ? Array.from({ length: rank }, () => cursor.u32()) : undefined
}

const CALIBRATION = ['scale_factor', 'scale_factor_err', 'add_offset', 'add_offset_err', 'calibrated_nt']

/** The attributes are named as those of CF and mean something else: scale_factor * (value - add_offset). */
function warnOfCalibration(
  attributes: ReadonlyMap<string, AttributeValue>,
  path: string,
  { context }: Hdf4World,
): void {
  if (!CALIBRATION.every((name) => attributes.has(name))) return
  const message =
    'calibrated as HDF does: scale_factor * (value - add_offset); readers of CF compute value * scale_factor + add_offset, as from the file itself'
  context.warn({ code: 'calibration-of-hdf', message, path, values: CALIBRATION })
}
