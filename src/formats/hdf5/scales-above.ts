import { type GraphObject, type GroupObject, type ObjectGraph, readGraphObject } from './graph.ts'
import { readScaleInfo } from './netcdf4.ts'
import type { MessageReader } from './structures/shared-message.ts'
import type { ValueWorld } from './world.ts'

/** A graph of one group with the dimension scales that its datasets have from elsewhere: NetCDF-4's dimensions are of groups above. */
export async function withScalesFromAbove(
  graph: ObjectGraph,
  reader: MessageReader,
  values: ValueWorld,
): Promise<ObjectGraph> {
  const missing = new Set<number>()
  for (const object of graph.objects.values()) {
    if (object.kind !== 'dataset') continue
    // What can't be read is told of when the array is made.
    const info = await readScaleInfo(object.attributes, values).catch(() => undefined)
    for (const address of info?.axes?.flat() ?? []) if (!graph.objects.has(address)) missing.add(address)
  }
  const objects = new Map<number, GraphObject>(graph.objects)
  const paths = new Map(graph.paths)
  for (const address of missing) {
    objects.set(address, await readGraphObject(reader, address))
    paths.set(address, nameAbove(graph.above, address))
  }
  return { ...graph, objects, paths }
}

function nameAbove(above: readonly GroupObject[], address: number): string {
  for (const { links } of above) {
    const link = links.find(({ target }) => target.kind === 'hard' && target.address === address)
    if (link !== undefined) return link.name
  }
  return ''
}
