import { isVirtualZarrError } from '../../errors.ts'
import { encodingGuessed } from '../../model/guessed-text.ts'
import { after, afterAll } from '../../model/recent-parts.ts'
import { unlessBroken } from '../../model/skipped-array.ts'
import { type Numbers, uniqueName } from '../../model/unique-name.ts'
import type { Attributes, AttributeValue, Member, VirtualGroup } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import type { ParseContext } from '../format.ts'
import { BOOKKEEPING_ATTRIBUTES } from '../hdf5-elements/bookkeeping.ts'
import { attributeValue } from './elements/attribute-value.ts'
import { isPytables } from './elements/times.ts'
import { readEosMetadata, withEosCoordinates } from './eos.ts'
import type { GraphObject, ObjectGraph } from './graph.ts'
import type { StoredText } from './messages/link.ts'
import { dimensionsOf, isNetcdf, readScaleInfo } from './netcdf4.ts'
import type { Attribute } from './objects.ts'
import { followExternalLinks } from './storage/external-links.ts'
import type { OtherFiles } from './storage/other-files.ts'
import { globalHeaps } from './structures/global-heap.ts'
import type { Hdf5File } from './structures/hdf5-file.ts'
import { memberOf } from './to-array.ts'
import { expandTree, objectAt } from './tree.ts'
import type { Hdf5World, NamedDataset, ValueWorld } from './world.ts'

type DatasetObject = Extract<GraphObject, { kind: 'dataset' }>

/** The tree of an HDF5 file: its groups and datasets by their links. */
export async function toModel(
  file: Hdf5File,
  graph: ObjectGraph,
  others: OtherFiles,
  context: ParseContext,
): Promise<VirtualGroup> {
  const pathOf = (address: number) => graph.paths.get(address) ?? ''
  for (const { address, diagnostic } of graph.diagnostics) context.warn({ ...diagnostic, path: pathOf(address) })
  const values: ValueWorld = {
    file,
    heaps: globalHeaps(file, context.signal),
    pathOf: (address) => {
      const path = graph.paths.get(address)
      return path === undefined ? undefined : `/${path}`
    },
  }
  const datasets = [...graph.objects.values()].filter((object) => object.kind === 'dataset')
  const named = await Promise.all(datasets.map((dataset) => namedDataset(dataset, pathOf(dataset.address), values)))
  const { arrays, world } = await readArrays({ file, graph, named, datasets, values, others, context })
  const external = await followExternalLinks(graph, others, context.warn)
  const groups = await groupAttributes(graph, values, context)
  const tree = expandTree({
    graph,
    external,
    isNetcdf: isNetcdf(graph.root.attributes, named),
    arrayAt: (address) => arrays.get(address),
    attributesAt: (address) => groups.get(address) ?? new Map(),
    warn: context.warn,
  })
  const metadata = await readEosMetadata(graph, named, world)
  return metadata === '' ? tree : withEosCoordinates(tree, metadata, context.warn)
}

interface ArraysInput {
  readonly file: Hdf5File
  readonly graph: ObjectGraph
  readonly datasets: readonly DatasetObject[]
  readonly named: readonly NamedDataset[]
  readonly values: ValueWorld
  readonly others: OtherFiles
  readonly context: ParseContext
}

/** The arrays of all datasets, by address; virtual ones wait for those that they are made of. */
async function readArrays(
  input: ArraysInput,
): Promise<{ readonly arrays: ReadonlyMap<number, Member>; readonly world: Hdf5World }> {
  const { graph, named, datasets, values, others, context } = input
  const promises = new Map<number, Promise<Member>>()
  const sameFile = async (path: StoredText): Promise<Member | undefined> => {
    const object = objectAt(graph, graph.root, path.stored)
    const isPlain = object?.kind === 'dataset' && object.dataset.layout.kind !== 'virtual'
    return isPlain ? await promises.get(object.address) : undefined
  }
  const marks = { isPytables: isPytables(graph.root.attributes) }
  const world: Hdf5World = { ...values, dimensions: dimensionsOf(named), context, others, ...marks, sameFile }
  const make = async (dataset: NamedDataset, raw: readonly Attribute[]): Promise<Member> => {
    const path = graph.paths.get(dataset.address) ?? ''
    const attributes = await attributesOf(raw, path, values, context)
    return await memberOf({ named: dataset, raw, attributes, path }, world)
  }
  named.forEach((dataset, i) => {
    if (!dataset.scale.isDimensionOnly) promises.set(dataset.address, make(dataset, datasets[i]?.attributes ?? []))
  })
  const arrays = await Promise.all([...promises].map(async ([address, member]) => [address, await member] as const))
  return { arrays: new Map(arrays), world }
}

async function namedDataset(object: DatasetObject, path: string, values: ValueWorld): Promise<NamedDataset> {
  const { address, attributes, dataset } = object
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { address, name, dataset, scale: await scaleInfo(attributes, values) }
}

/** A damaged heap costs the names of dimensions, not the array. */
async function scaleInfo(attributes: readonly Attribute[], values: ValueWorld): Promise<NamedDataset['scale']> {
  try {
    return await readScaleInfo(attributes, values)
  } catch (error) {
    if (!isVirtualZarrError(error, 'malformed-source')) throw error
    const others = attributes.filter(({ name }) => name !== 'DIMENSION_LIST')
    return await readScaleInfo(others, values)
  }
}

async function groupAttributes(
  graph: ObjectGraph,
  values: ValueWorld,
  context: ParseContext,
): Promise<ReadonlyMap<number, Attributes>> {
  const groups = new Map<number, Attributes>()
  await Promise.all(
    [...graph.objects.values()].map(async (object) => {
      if (object.kind !== 'group') return
      const attributes = await attributesOf(object.attributes, graph.paths.get(object.address) ?? '', values, context)
      const served = [...attributes].filter(([name]) => !BOOKKEEPING_ATTRIBUTES.has(name))
      groups.set(object.address, new Map(served))
    }),
  )
  return groups
}

/** The values of attributes; those that can't be said in JSON are told and left out. */
async function attributesOf(
  raw: readonly Attribute[],
  path: string,
  world: ValueWorld,
  context: ParseContext,
): Promise<ReadonlyMap<string, AttributeValue>> {
  const unreadable = (name: string, { message }: Error) =>
    context.warn({ code: 'attribute-unreadable', message: `attribute ${name} can't be read: ${message}`, path })
  const told = ({ name }: Attribute, value: AttributeValue | undefined) => {
    const message = `attribute ${name} is of a type that JSON can't say: dropped`
    if (value === undefined) context.warn({ code: 'attribute-dropped', message, path, values: [name] })
    return value
  }
  const read = raw.filter(({ name }) => !BOOKKEEPING_ATTRIBUTES.has(name))
  const values = await afterAll(
    read.map((attribute) =>
      unlessBroken(
        // Most are there at once, and a promise for each would take more than they do.
        () => after(turn(), () => after(attributeValue(attribute, world), (value) => told(attribute, value))),
        (error) => unreadable(attribute.name, error),
      ),
    ),
  )
  const guessed = raw.filter(({ isGuessed }) => isGuessed).map(({ name }) => name)
  if (guessed.length > 0)
    context.warn(encodingGuessed('name', `the name of attribute ${guessed.join(', ')}`, path, guessed))
  const attributes = new Map<string, AttributeValue>()
  const numbers: Numbers = new Map()
  for (const [place, { name }] of read.entries()) {
    const value = values[place]
    if (value !== undefined) attributes.set(uniqueName(name, attributes, numbers), value)
  }
  return attributes
}
