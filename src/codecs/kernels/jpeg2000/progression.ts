// T.800 B.12: the order in which the packets of a tile lie.
import type { Order } from './coding-style.ts'
import type { PrecinctBand } from './precinct.ts'
import type { ComponentLayout, Resolution } from './tile-layout.ts'

/** A precinct, whose blocks are made when its first packet comes that is not empty. */
export interface Precinct {
  readonly component: number
  readonly resolution: Resolution
  readonly index: number
  /** Where it begins, in the picture's grid. */
  readonly x: number
  readonly y: number
  bands: readonly PrecinctBand[] | undefined
}

type By = 'component' | 'resolution' | 'index' | 'position'

const COMPARED: Readonly<Record<Order, readonly By[]>> = {
  LRCP: ['resolution', 'component', 'index'],
  RLCP: ['resolution', 'component', 'index'],
  RPCL: ['resolution', 'position', 'component', 'index'],
  PCRL: ['position', 'component', 'resolution', 'index'],
  CPRL: ['component', 'position', 'resolution', 'index'],
}

/** All precincts of a tile. */
export function precinctsOf(components: readonly ComponentLayout[]): Precinct[] {
  return components.flatMap(({ number, box, resolutions }) =>
    resolutions.flatMap((resolution) => {
      const { precinctsAcross, precinctsDown, precinct, halved } = resolution
      return Array.from({ length: precinctsAcross * precinctsDown }, (_, index): Precinct => {
        const across = Math.floor(resolution.box.left / 2 ** precinct[0]) + (index % precinctsAcross)
        const down = Math.floor(resolution.box.top / 2 ** precinct[1]) + Math.floor(index / precinctsAcross)
        const x = Math.max(box.left, across * 2 ** (precinct[0] + halved))
        const y = Math.max(box.top, down * 2 ** (precinct[1] + halved))
        return { component: number, resolution, index, x, y, bands: undefined }
      })
    }),
  )
}

/** Each packet: a precinct, and a layer of it. */
export function* packetOrder(
  precincts: readonly Precinct[],
  order: Order,
  layers: number,
): Generator<readonly [Precinct, number]> {
  const sorted = precincts.toSorted((a, b) => {
    for (const by of COMPARED[order]) {
      const difference = compare(a, b, by)
      if (difference !== 0) return difference
    }
    return 0
  })
  for (const group of groupsOf(sorted, order)) {
    if (order === 'LRCP' || order === 'RLCP') {
      for (let layer = 0; layer < layers; layer++) for (const precinct of group) yield [precinct, layer]
    } else {
      for (const precinct of group) for (let layer = 0; layer < layers; layer++) yield [precinct, layer]
    }
  }
}

function compare(a: Precinct, b: Precinct, by: By): number {
  switch (by) {
    case 'component':
      return a.component - b.component
    case 'resolution':
      return a.resolution.number - b.resolution.number
    case 'index':
      return a.index - b.index
    case 'position':
      return a.y - b.y || a.x - b.x
  }
}

/** Of RLCP, all layers of one resolution come before the next one. */
function groupsOf(sorted: readonly Precinct[], order: Order): Iterable<readonly Precinct[]> {
  return order === 'RLCP' ? Map.groupBy(sorted, ({ resolution }) => resolution.number).values() : [sorted]
}
