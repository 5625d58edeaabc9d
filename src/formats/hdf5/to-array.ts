import { type ErrorContext, isVirtualZarrError, malformed, unsupported } from '../../errors.ts'
import { dataDimensions } from '../../model/characters.ts'
import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import { BOOKKEEPING_ATTRIBUTES } from '../../model/netcdf4-attributes.ts'
import { inlineIndex, missingIndex, runIndex } from '../../model/plain-indexes.ts'
import { runChunkShape, valuesChunkShape } from '../../model/run-chunks.ts'
import { elementCount } from '../../model/shape.ts'
import type { AttributeValue, Member, StoredPart, VirtualArray } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import type { ValueWorld } from './attribute-value.ts'
import { isBooleanEnum } from './booleans.ts'
import { chunkIndexOf } from './chunks/chunk-index.ts'
import { type ElementPlan, planElement } from './element-plan.ts'
import { planEncodings } from './encodings.ts'
import { type ArrayFrame, externalParts } from './external-storage.ts'
import { fillOf } from './fill.ts'
import type { ChunkedLayout, DataLayout } from './messages/data-layout.ts'
import type { Dataspace } from './messages/dataspace.ts'
import type { Datatype } from './messages/datatype.ts'
import type { StoredText } from './messages/link.ts'
import type { Dimensions, NamedDataset } from './netcdf4.ts'
import { integerJson, integerOf } from './number-value.ts'
import type { Attribute } from './objects.ts'
import type { OtherFiles } from './other-files.ts'
import { runInFile } from './run-in-file.ts'
import { sentinelsOf } from './sentinels.ts'
import { virtualParts } from './virtual-dataset.ts'

/** What making arrays needs of the file they are in. */
export interface ArrayWorld {
  readonly values: ValueWorld
  readonly dimensions: Dimensions
  readonly context: ParseContext
  readonly others: OtherFiles
  /** Another dataset of the file; undefined where there is none that virtual datasets may use. */
  sameFile(path: StoredText): Promise<Member | undefined>
}

/** A dataset, its attributes, and where it is. */
export interface ArrayInput {
  readonly named: NamedDataset
  readonly raw: readonly Attribute[]
  readonly attributes: ReadonlyMap<string, AttributeValue>
  readonly path: string
}

/** The array of a dataset; one that can't be served is listed, and costs the others nothing (FV-HDF5-9). */
export async function memberOf(input: ArrayInput, world: ArrayWorld): Promise<Member> {
  try {
    return await arrayOf(input, world)
  } catch (error) {
    if (isVirtualZarrError(error, 'malformed-source') || isVirtualZarrError(error, 'unsupported-feature')) {
      const code = isVirtualZarrError(error, 'malformed-source') ? 'malformed-source' : 'unsupported-feature'
      const { type } = input.named.dataset
      const isCharacters = type.class === 'string' && type.size === 1
      const dimensions = dataDimensions(world.dimensions.namesOf(input.named), isCharacters)
      return { kind: 'skipped', code, reason: error.message, dataDimensions: dimensions }
    }
    throw error
  }
}

async function arrayOf(input: ArrayInput, world: ArrayWorld): Promise<VirtualArray> {
  const { named, raw, attributes, path } = input
  const { dataset } = named
  if (dataset.space.kind === 'null')
    throw unsupported('HDF5 null dataspace', 'a dataset of no elements at all (null dataspace)')
  const plan = planElement(dataset.type, world.values.file)
  const fill = await fillOf(dataset.fill, dataset.type, plan, world.values)
  const { dataType, innerShape } = plan
  tellOfLosses(plan, path, world.context)
  tellOfScales(world.dimensions.ambiguous(named), path, world.context)
  const { sentinels, missingValue } = sentinelsOf({ raw, values: attributes, dataType, path }, world.context)
  const frame: ArrayFrame = {
    kind: 'array',
    shape: [...world.dimensions.shapeOf(named), ...innerShape],
    dataType,
    fillValue: fill.value,
    fillOrigin: fill.origin,
    sentinels,
    attributes: servedAttributes(attributes, missingValue, dataset.type),
    dimensionNames: [...world.dimensions.namesOf(named), ...innerShape.map(() => null)],
    encodings: [plan.codecs],
    edges: 'cropped',
  }
  const place = { url: world.values.file.source.url, format: 'hdf5', path }
  const { layout, external } = dataset
  if (layout.kind === 'virtual') return await virtualArray(frame, named, layout, world)
  if (layout.kind === 'contiguous' && external !== undefined) {
    const parts = await externalParts(frame, plan.stored.size, external, world.others, place)
    return assembled(frame, runChunkShape(frame.shape, plan.stored.size) ?? frame.shape, parts)
  }
  const storage =
    layout.kind === 'chunked'
      ? chunkedStorage(named, layout, plan, world, place)
      : runStorage(named, plan, world, place)
  return { ...frame, ...storage }
}

async function virtualArray(
  frame: ArrayFrame,
  { dataset }: NamedDataset,
  layout: Extract<DataLayout, { kind: 'virtual' }>,
  world: ArrayWorld,
): Promise<VirtualArray> {
  const { space } = dataset
  const isUnlimited = (axis: number) =>
    space.kind === 'simple' && axis < space.shape.length && space.maximum[axis] === undefined
  const { dataType } = frame
  const { shape, parts } = await virtualParts({ ...layout, shape: frame.shape, dataType, isUnlimited }, world)
  const chunkShape = parts[0]?.array.chunkShape ?? shape.map((length) => Math.max(length, 1))
  return assembled({ ...frame, shape }, chunkShape, parts)
}

/** An array that is put together from parts when it is read. */
function assembled(frame: ArrayFrame, chunkShape: readonly number[], stored: readonly StoredPart[]): VirtualArray {
  const gridShape = gridShapeOf(frame.shape, chunkShape)
  const chunks: ChunkIndex = { gridShape, at: () => ASSEMBLED, weight: () => 300 + 300 * stored.length }
  return { ...frame, chunkShape, chunks, stored, encodings: [], edges: 'padded' }
}

const ASSEMBLED: ChunkRef = { kind: 'assembled' }

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

type Storage = Pick<VirtualArray, 'chunkShape' | 'encodings' | 'edges' | 'chunks'>

/** Values that lie together: in the file, or in the object header itself. */
function runStorage(named: NamedDataset, plan: ElementPlan, world: ArrayWorld, place: ErrorContext): Storage {
  const { file } = world.values
  const { layout, type, space } = named.dataset
  const outer = world.dimensions.shapeOf(named)
  if (outer.join() !== shapeIn(space).join())
    throw unsupported('NetCDF dimension', 'an unlimited dimension without chunks')
  const shape = [...outer, ...plan.innerShape]
  const itemSize = plan.stored.size
  const chunkShape = valuesChunkShape(shape, plan.dataType, itemSize)
  const count = elementCount(shape)
  const storage = { chunkShape, encodings: [plan.codecs], edges: 'cropped' as const }
  if (layout.kind === 'compact') {
    const needed = count * itemSize
    if (layout.bytes.length < needed)
      throw malformed(`compact values of ${layout.bytes.length} bytes, expected ${needed}`)
    return {
      ...storage,
      chunkShape: shape.map((length) => Math.max(length, 1)),
      chunks: inlineIndex(shape, shape, layout.bytes.subarray(0, needed), 0),
    }
  }
  if (layout.kind !== 'contiguous' || layout.address === undefined || count === 0) {
    return { ...storage, chunks: missingIndex(shape, chunkShape) }
  }
  if (layout.size !== undefined && layout.size < count * itemSize) {
    throw malformed(
      `${layout.size} bytes of values where type ${type.class} and shape [${shape}] need ${count * itemSize}`,
    )
  }
  const refAt = runInFile(file.base + layout.address, file.base + file.end, place)
  return { ...storage, chunks: runIndex({ shape, chunkShape, itemSize, refAt }) }
}

function chunkedStorage(
  named: NamedDataset,
  layout: ChunkedLayout,
  plan: ElementPlan,
  world: ArrayWorld,
  place: ErrorContext,
): Storage {
  const { file } = world.values
  const { type, space, filters } = named.dataset
  const stored = shapeIn(space)
  if (layout.chunkShape.length !== stored.length || stored.length === 0) {
    throw malformed(`chunks of ${layout.chunkShape.length} dimensions in an array of ${stored.length}`)
  }
  if (layout.elementSize !== type.size) {
    throw malformed(`chunks of elements of ${layout.elementSize} bytes, where the type has ${type.size}`)
  }
  const outer = world.dimensions.shapeOf(named)
  const chunkShape = [...layout.chunkShape, ...plan.innerShape]
  const shape = [...outer, ...plan.innerShape]
  const storage = { chunkShape, edges: 'padded' as const }
  if (layout.address === undefined || shape.includes(0)) {
    return { ...storage, encodings: [plan.codecs], chunks: missingIndex(shape, chunkShape) }
  }
  const chunkBytes = layout.chunkShape.reduce((product, length) => product * length, type.size)
  const planned = planEncodings({ codecs: plan.codecs, filters, type })
  const chunks: ChunkIndex = chunkIndexOf({
    file,
    layout,
    address: layout.address,
    grid: {
      gridShape: gridShapeOf(outer, layout.chunkShape),
      mostChunks: mostChunksOf(space, layout.chunkShape),
      chunkShape: layout.chunkShape,
      chunkBytes,
      isFiltered: filters.length > 0,
    },
    shape: stored,
    gridShape: gridShapeOf(shape, chunkShape),
    encodingOf: planned.encodingOf,
    place,
  })
  return { ...storage, encodings: planned.encodings, chunks }
}

function shapeIn(space: Dataspace): readonly number[] {
  return space.kind === 'simple' ? space.shape : []
}

function mostChunksOf(space: Dataspace, chunkShape: readonly number[]): readonly (number | undefined)[] {
  if (space.kind !== 'simple') return []
  return space.maximum.map((most, axis) => (most === undefined ? undefined : Math.ceil(most / (chunkShape[axis] ?? 1))))
}

function servedAttributes(
  attributes: ReadonlyMap<string, AttributeValue>,
  missingValue: AttributeValue | undefined,
  type: Datatype,
): ReadonlyMap<string, AttributeValue> {
  const served = new Map<string, AttributeValue>()
  for (const [name, value] of attributes) {
    if (name !== '_FillValue' && name !== 'missing_value' && !BOOKKEEPING_ATTRIBUTES.has(name)) served.set(name, value)
  }
  if (missingValue !== undefined) served.set('missing_value', missingValue)
  if (type.class === 'enum' && type.base.class === 'integer' && !isBooleanEnum(type) && !served.has('flag_values')) {
    const { base, names, values } = type
    const flags = names.map((_, i) => integerJson(integerOf(values.subarray(i * type.size, (i + 1) * type.size), base)))
    served.set('flag_values', flags)
    // Blanks separate the words of this attribute.
    served.set('flag_meanings', names.map((name) => name.replace(/\s+/g, '_')).join(' '))
  }
  return served
}
