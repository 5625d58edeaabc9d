import { hdf5VlenText } from '../../codecs/hdf5/vlen-text.ts'
import { unsupported } from '../../errors.ts'
import { integerJson } from '../../fill-value/numbers.ts'
import { type ReadSentinels, withoutSentinels } from '../../fill-value/sentinels.ts'
import { dataDimensions } from '../../model/characters.ts'
import { composedArray, listedMembers, type PlacedArray } from '../../model/composed-array.ts'
import type { DataType } from '../../model/data-type.ts'
import { runChunkShape } from '../../model/run-chunks.ts'
import { skippedArray } from '../../model/skipped-array.ts'
import { type AttributeValue, type Member, NO_SENTINELS, type VirtualArray } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { BOOKKEEPING_ATTRIBUTES } from '../hdf5-elements/bookkeeping.ts'
import { flagAttributes } from '../hdf5-elements/enumerations.ts'
import { integerOf, isBoolean } from './elements/formats.ts'
import { type ElementPlan, planElement } from './elements/plan.ts'
import { pathArray } from './elements/references.ts'
import { sequenceGroup } from './elements/sequences.ts'
import { checkTimes, timeAttributes } from './elements/times.ts'
import { fillOf } from './fill.ts'
import type { DataLayout } from './messages/data-layout.ts'
import type { Datatype } from './messages/datatype.ts'
import type { Attribute, Dataset } from './objects.ts'
import { sentinelsOf } from './sentinels.ts'
import { type ArrayFrame, externalParts } from './storage/external-storage.ts'
import { storageOf } from './storage/storage.ts'
import { virtualParts } from './storage/virtual-dataset.ts'
import type { Hdf5World, NamedDataset } from './world.ts'

/** A dataset, its attributes, and where it is. */
export interface ArrayInput {
  readonly named: NamedDataset
  readonly raw: readonly Attribute[]
  readonly attributes: ReadonlyMap<string, AttributeValue>
  readonly path: string
}

/** The array of a dataset, or the group of its sequences; one that can't be served is listed, and costs the others nothing (FV-HDF5-9). */
export async function memberOf(input: ArrayInput, world: Hdf5World): Promise<Member> {
  try {
    return await servedMember(input, world)
  } catch (error) {
    const { type } = input.named.dataset
    const isCharacters = type.class === 'string' && type.size === 1
    return skippedArray(error, dataDimensions(world.dimensions.namesOf(input.named), isCharacters))
  }
}

async function servedMember(input: ArrayInput, world: Hdf5World): Promise<Member> {
  const { named, path } = input
  const { space, type } = named.dataset
  if (space.kind === 'null')
    throw unsupported('HDF5 null dataspace', 'a dataset of no elements at all (null dataspace)')
  tellOfScales(world.dimensions.ambiguous(named), path, world.context)
  checkTimes(type.class === 'vlen' ? type.base : type, world.isPytables)
  const place = { url: world.file.source.url, format: 'hdf5', path }
  if (type.class === 'reference') {
    const attributes = servedAttributes(input.attributes, type)
    return await pathArray({ named, type, attributes, place }, world)
  }
  if (type.class !== 'vlen') return await arrayOf(input, world)
  const plan = withTextsDropped(planElement(type.base, world.file))
  tellOfLosses(plan, path, world.context)
  return await sequenceGroup({ named, plan, place, ...described(input, plan.dataType, type.base, world) }, world)
}

/** What the attributes of a dataset say of its values. */
function described({ raw, attributes, path }: ArrayInput, dataType: DataType, type: Datatype, world: Hdf5World) {
  const read = sentinelsOf({ raw, values: attributes, dataType, path }, world.context)
  return { sentinels: read.sentinels, attributes: servedAttributes(attributes, type, read) }
}

async function arrayOf(input: ArrayInput, world: Hdf5World): Promise<VirtualArray> {
  const { named, path } = input
  const { dataset } = named
  const plan = withTextsOfPlainRecords(planElement(dataset.type, world.file), dataset)
  const fill = await fillOf(dataset.fill, dataset.type, plan, world)
  const { dataType, innerShape } = plan
  tellOfLosses(plan, path, world.context)
  const frame: ArrayFrame = {
    kind: 'array',
    shape: [...world.dimensions.shapeOf(named), ...innerShape],
    dataType,
    fillValue: fill.value,
    fillOrigin: fill.origin,
    ...described(input, dataType, dataset.type, world),
    dimensionNames: [...world.dimensions.namesOf(named), ...innerShape.map(() => null)],
    encodings: [plan.codecs],
    edges: 'cropped',
  }
  const place = { url: world.file.source.url, format: 'hdf5', path }
  const { layout, external } = dataset
  if (layout.kind === 'virtual') return await virtualArray(frame, named, layout, world)
  if (layout.kind === 'contiguous' && external !== undefined) {
    const parts = await externalParts(frame, plan.stored.size, external, world.others, place)
    return composed(frame, runChunkShape(frame.shape, plan.stored.size) ?? frame.shape, parts)
  }
  const array: VirtualArray = { ...frame, ...storageOf(named, plan, world, place) }
  return plan.texts.length === 0 ? array : { ...array, textFields: textFields(array, named, plan, world) }
}

/** Texts of records are served where these lie in the file as such, one an element. */
function withTextsOfPlainRecords(plan: ElementPlan, { layout, external }: Dataset): ElementPlan {
  const isPlain = plan.innerShape.length === 0 && layout.kind !== 'virtual' && external === undefined
  return isPlain ? plan : withTextsDropped(plan)
}

function withTextsDropped(plan: ElementPlan): ElementPlan {
  return { ...plan, texts: [], dropped: [...plan.dropped, ...plan.texts.map(({ name }) => name)] }
}

/** The text of each record that a field refers to. */
function textFields(
  { shape, dimensionNames }: VirtualArray,
  named: NamedDataset,
  plan: ElementPlan,
  world: Hdf5World,
): ReadonlyMap<string, VirtualArray> {
  const { offsetSize, lengthSize, base } = world.file
  const fields = new Map<string, VirtualArray>()
  for (const { name, offset } of plan.texts) {
    const record = { size: plan.stored.size, offset }
    const codecs = [hdf5VlenText.stored({ offsetSize, lengthSize, base, record })]
    const place = { url: world.file.source.url, format: 'hdf5', path: name }
    fields.set(name, {
      kind: 'array',
      shape,
      dataType: { kind: 'string' },
      fillValue: { kind: 'string', value: '' },
      fillOrigin: 'an empty text',
      sentinels: NO_SENTINELS,
      attributes: new Map(),
      dimensionNames,
      ...storageOf(named, { ...plan, dataType: { kind: 'string' }, codecs }, world, place),
    })
  }
  return fields
}

async function virtualArray(
  frame: ArrayFrame,
  { dataset }: NamedDataset,
  layout: Extract<DataLayout, { kind: 'virtual' }>,
  world: Hdf5World,
): Promise<VirtualArray> {
  const { space } = dataset
  const isUnlimited = (axis: number) =>
    space.kind === 'simple' && axis < space.shape.length && space.maximum[axis] === undefined
  const { dataType } = frame
  const input = { ...layout, shape: frame.shape, dataType, isUnlimited }
  const { shape, parts, chunkShape } = await virtualParts(input, world)
  return composed({ ...frame, shape }, chunkShape ?? runChunkShape(shape, dataset.type.size) ?? shape, parts)
}

/** An array that is put together from parts when it is read. */
function composed(frame: ArrayFrame, chunkShape: readonly number[], parts: readonly PlacedArray[]): VirtualArray {
  return composedArray({ ...frame, chunkShape }, { kind: 'concat', members: listedMembers(parts), encodings: [] })
}

/** What of an element is not served as it is. */
function tellOfLosses(plan: ElementPlan, path: string, { warn }: ParseContext): void {
  if (plan.dropped.length > 0) {
    const message = `fields of records without a fixed form are left out: ${plan.dropped.join(', ')}`
    warn({ code: 'field-skipped', message, path, values: plan.dropped })
  }
  if (plan.isRounded) {
    warn({ code: 'precision-reduced', message: 'floats of more than 64 bits are served as the nearest doubles', path })
  }
}

/** DM-4: a reader can't know which one is meant. */
function tellOfScales(names: readonly string[], path: string, { warn }: ParseContext): void {
  if (names.length === 0) return
  const message = `an axis with several dimension scales (${names.join(', ')}): its name is invented`
  warn({ code: 'dimension-ambiguous', message, path, values: names })
}

function servedAttributes(
  attributes: ReadonlyMap<string, AttributeValue>,
  type: Datatype,
  read?: ReadSentinels,
): ReadonlyMap<string, AttributeValue> {
  const served = withoutSentinels(attributes, read)
  for (const name of BOOKKEEPING_ATTRIBUTES) served.delete(name)
  for (const [name, value] of timeAttributes(type, served)) served.set(name, value)
  if (type.class !== 'enum' || type.base.class !== 'integer' || isBoolean(type) || served.has('flag_values'))
    return served
  const { base, size, names, values } = type
  const flags = names.map((_, i) => integerJson(integerOf(values.subarray(i * size, (i + 1) * size), base)))
  return new Map([...served, ...flagAttributes(names, flags)])
}
