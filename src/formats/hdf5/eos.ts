// HDF-EOS5: "HDF-EOS Library User's Guide", volume 2. Grids, swaths and zonal averages are groups below `HDFEOS`; along which
// dimensions their fields lie, and where, is said in a text beside them.
import { anyText } from '../../bytes/text.ts'
import { withoutPadding } from '../../codecs/own/fixed-text.ts'
import { overLimit } from '../../errors.ts'
import { isOwnFault } from '../../model/skipped-array.ts'
import type { AttributeValue, Diagnostic, Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import { geolocationAttributes } from '../georeference/hdfeos/geolocation.ts'
import { COLUMNS, ROWS } from '../georeference/hdfeos/grid-axes.ts'
import { placedGrid, readEosStructure } from '../georeference/hdfeos/placed-fields.ts'
import type { EosField, EosGrid, EosSwath } from '../georeference/hdfeos/structure.ts'
import { sequenceBytes } from './elements/attribute-value.ts'
import { readWhole, storedValues } from './elements/whole-values.ts'
import type { ObjectGraph } from './graph.ts'
import { objectAt } from './tree.ts'
import type { Hdf5World, NamedDataset } from './world.ts'

const GRIDS = ['HDFEOS', 'GRIDS']
const SWATHS = ['HDFEOS', 'SWATHS']
const DATA = 'Data Fields'
const GEOLOCATION = 'Geolocation Fields'

/** The text goes on in further datasets: `StructMetadata.1`, … */
const METADATA = '/HDFEOS INFORMATION/StructMetadata.'
const MAX_METADATA_BYTES = 2 ** 24

type Warn = (diagnostic: Diagnostic) => void

/** What HDF-EOS says of a file; empty for other files. What can't be read is told. */
export async function readEosMetadata(
  graph: ObjectGraph,
  named: readonly NamedDataset[],
  world: Hdf5World,
): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (let part = 0; ; part++) {
      const address = objectAt(graph, graph.root, `${METADATA}${part}`)?.address
      const dataset = named.find((one) => one.address === address)
      const type = dataset?.dataset.type
      if (dataset === undefined || (type?.class !== 'string' && type?.class !== 'vlen-string')) break
      length += type.size
      if (length > MAX_METADATA_BYTES) throw overLimit(`metadata of HDF-EOS of more than ${MAX_METADATA_BYTES} bytes`)
      const place = { url: world.file.source.url, format: 'hdf5', path: `${METADATA}${part}`.slice(1) }
      const bytes = await readWhole(storedValues(dataset, 1, world, place), world.file)
      const text = type.class === 'string' ? bytes : await sequenceBytes(bytes, 1, world)
      parts.push(withoutPadding(text, type.padding))
    }
  } catch (error) {
    if (!isOwnFault(error)) throw error
    world.context.warn({
      code: 'structure-skipped',
      message: `what HDF-EOS says of the file can't be read: ${error.message}`,
    })
    return ''
  }
  return anyText(Buffer.concat(parts))
}

/** The tree with the dimensions and coordinates that the metadata of HDF-EOS name, in the groups of the fields. What the file itself says stays. */
export function withEosCoordinates(root: VirtualGroup, metadata: string, warn: Warn): VirtualGroup {
  const structure = readEosStructure(metadata, warn)
  if (structure === undefined) return root
  let tree = root
  for (const grid of structure.grids)
    tree = changedAt(tree, [...GRIDS, grid.name, DATA], (fields) => gridFields(fields, grid, warn))
  for (const swath of structure.swaths) tree = changedAt(tree, [...SWATHS, swath.name], (own) => swathGroup(own, swath))
  return tree
}

/** The tree with another group at a path; as it is where there is none. */
function changedAt(
  group: VirtualGroup,
  [name, ...rest]: readonly string[],
  change: (group: VirtualGroup) => VirtualGroup,
): VirtualGroup {
  if (name === undefined) return change(group)
  const member = group.members.get(name)
  if (member?.kind !== 'group') return group
  return { ...group, members: new Map([...group.members, [name, changedAt(member, rest, change)]]) }
}

function gridFields(group: VirtualGroup, grid: EosGrid, warn: Warn): VirtualGroup {
  const lengths = new Map([
    [COLUMNS, grid.columns],
    [ROWS, grid.rows],
  ])
  const { coordinates, attributesOf } = placedGrid(grid, [...GRIDS, grid.name, DATA].join('/'), warn)
  const members = new Map(group.members)
  for (const field of grid.fields) {
    const member = members.get(field.name)
    if (member?.kind !== 'array') continue
    const named = withDimensions(member, field, lengths)
    const about = attributesOf(named.dimensionNames ?? [])
    members.set(field.name, { ...named, attributes: new Map([...about, ...named.attributes]) })
  }
  for (const [name, coordinate] of coordinates) if (!members.has(name)) members.set(name, coordinate)
  return { ...group, members }
}

/** The names that the metadata give, where the file itself gives none, and they are those of the array's shape. */
function withDimensions(array: VirtualArray, field: EosField, lengths: ReadonlyMap<string, number>): VirtualArray {
  const { shape, dimensionNames } = array
  const isNamed = dimensionNames?.some((name) => name !== null) === true
  const isRight =
    field.dimensions.length === shape.length &&
    field.dimensions.every((name, axis) => (lengths.get(name) ?? shape[axis]) === shape[axis])
  return isNamed || !isRight ? array : { ...array, dimensionNames: field.dimensions }
}

/** Geolocation stands beside the fields too, so that each group is a dataset of its own. */
function swathGroup(group: VirtualGroup, swath: EosSwath): VirtualGroup {
  const [data, geolocation] = [group.members.get(DATA), group.members.get(GEOLOCATION)]
  const places = new Map<string, VirtualArray>()
  const members = new Map(group.members)
  if (geolocation?.kind === 'group') {
    const named = new Map(geolocation.members)
    for (const field of swath.geolocation) {
      const member = named.get(field.name)
      if (member?.kind !== 'array') continue
      const own = withDimensions(member, field, new Map())
      const attributes = new Map([...geolocationAttributes(field.name), ...own.attributes])
      const place = { ...own, attributes }
      places.set(field.name, place)
      named.set(field.name, place)
    }
    members.set(GEOLOCATION, { ...geolocation, members: named })
  }
  if (data?.kind === 'group') members.set(DATA, swathFields(data, swath, places))
  return { ...group, members }
}

function swathFields(group: VirtualGroup, swath: EosSwath, places: ReadonlyMap<string, VirtualArray>): VirtualGroup {
  const members = new Map<string, Member>(group.members)
  const used = new Set<string>()
  for (const field of swath.data) {
    const member = members.get(field.name)
    if (member?.kind !== 'array') continue
    const named = withDimensions(member, field, new Map())
    const coordinates = [...places].flatMap(([name, place]) => (liesAlong(place, named) ? [name] : []))
    for (const name of coordinates) used.add(name)
    const about: [string, AttributeValue][] = coordinates.length === 0 ? [] : [['coordinates', coordinates.join(' ')]]
    members.set(field.name, { ...named, attributes: new Map([...about, ...named.attributes]) })
  }
  for (const [name, place] of places) if (used.has(name) && !members.has(name)) members.set(name, place)
  return { ...group, members }
}

/** Whether a coordinate has some of the dimensions of an array, and no others. */
function liesAlong(place: VirtualArray, array: VirtualArray): boolean {
  const names = place.dimensionNames ?? []
  return (
    names.length > 0 &&
    names.every((name, axis) => {
      const along = name === null ? -1 : (array.dimensionNames?.indexOf(name) ?? -1)
      return along >= 0 && array.shape[along] === place.shape[axis]
    })
  )
}
