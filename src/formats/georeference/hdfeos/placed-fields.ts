// What HDF-EOS2 (in HDF4) and HDF-EOS5 have in common: what the metadata say of grids becomes coordinates and attributes of their fields.
import { isOwnFault } from '../../../model/skipped-array.ts'
import type { AttributeValue, Diagnostic, Member } from '../../../model/virtual-store.ts'
import { COLUMNS, gridCoordinates, ROWS } from './grid-axes.ts'
import { parseOdl } from './odl.ts'
import { type EosGrid, type EosStructure, structureOf } from './structure.ts'

/** The name of the array that holds the reference system. */
const MAPPING = 'spatial_ref'

type Warn = (diagnostic: Diagnostic) => void

/** What `StructMetadata` says; undefined, with a diagnostic, where that can't be read. */
export function readEosStructure(text: string, warn: Warn): EosStructure | undefined {
  try {
    return structureOf(parseOdl(text))
  } catch (error) {
    if (!isOwnFault(error)) throw error
    warn({ code: 'structure-skipped', message: `what HDF-EOS says of the file is left out: ${error.message}` })
    return undefined
  }
}

/** Where a grid lies. */
interface GridPlacement {
  readonly coordinates: ReadonlyMap<string, Member>
  /** Attributes of a field along these dimensions: the name of the reference system, where the field lies on the grid. */
  attributesOf(dimensions: readonly (string | null)[]): readonly [string, AttributeValue][]
}

/** The coordinates of a grid; what is not known of where it lies is told. */
export function placedGrid(grid: EosGrid, path: string, warn: Warn): GridPlacement {
  const coordinates = gridCoordinates(grid, MAPPING)
  const fault = placementFault(grid, coordinates)
  if (fault !== undefined) warn({ code: 'grid-not-placed', message: fault, path })
  return {
    coordinates,
    attributesOf: (dimensions) => {
      const isOnGrid = dimensions.includes(COLUMNS) && dimensions.includes(ROWS)
      return isOnGrid && coordinates.has(MAPPING) ? [['grid_mapping', MAPPING]] : []
    },
  }
}

function placementFault({ name, projection }: EosGrid, coordinates: ReadonlyMap<string, unknown>): string | undefined {
  if (projection === '') return `the grid ${name} names no projection: it has no coordinates`
  if (!coordinates.has(COLUMNS)) return `the grid ${name} does not say where its corners are: it has no coordinates`
  if (coordinates.has(MAPPING)) return undefined
  return `the grid ${name} is in ${projection}, which well-known text can't say: its coordinates have no reference system`
}
