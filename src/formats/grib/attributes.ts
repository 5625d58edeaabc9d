import type { GridDefinition } from '../../codecs/grib/grids/grid.ts'
import { floatJson } from '../../json/json.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { Cube } from './cubes/cube.ts'
import { gridTitleOfEdition1, gridTitleOfEdition2 } from './describe/centre.ts'
import type { Description } from './describe/description.ts'

/** What values that are missing would be, to ecCodes. */
const MISSING_VALUE = 3.4028234663852886e38

/** Its place in section 1 of GRIB 2. */
const TABLES_VERSION = 4

type Entry = readonly [string, AttributeValue | undefined]

/** What is said of all fields of a group. */
export function groupAttributes({ field, centre, centreTitle, subCentre }: Description): Map<string, AttributeValue> {
  return new Map<string, AttributeValue>([
    ['GRIB_edition', field.edition],
    ['GRIB_centre', centre],
    ['GRIB_centreDescription', centreTitle],
    ['GRIB_subCentre', subCentre],
    ['Conventions', 'CF-1.7'],
    ['institution', centreTitle],
  ])
}

/** What is said of an array, in the words of ecCodes. */
export function arrayAttributes({ first, grid: { definition } }: Cube): Map<string, AttributeValue> {
  const { parameter } = first
  const general: Entry[] = [
    ['paramId', parameter.paramId],
    ['dataType', first.dataType],
    ['numberOfPoints', definition.points],
    ['typeOfLevel', first.typeOfLevel],
    ['stepUnits', 1],
    ['stepType', first.stepType],
    ['gridType', definition.type],
    ['uvRelativeToGrid', definition.uvRelativeToGrid],
  ]
  const special: Entry[] = [
    ['NV', first.verticalCoordinates],
    ['cfName', parameter.cfName],
    ['cfVarName', parameter.cfVarName],
    ['gridDefinitionDescription', titleOf(first)],
    ['missingValue', MISSING_VALUE],
    ['name', parameter.name],
    ['numberOfDirections', first.directions],
    ['numberOfFrequencies', first.frequencies],
    ['shortName', parameter.shortName],
    ['totalNumber', first.totalNumber],
    ['units', parameter.units],
    ...gridEntries(definition),
  ]
  const known = general.filter(([, value]) => value !== undefined && value !== 'unknown')
  const sorted = special.filter(([, value]) => value !== undefined).sort(([one], [other]) => (one < other ? -1 : 1))
  const attributes = new Map<string, AttributeValue>()
  for (const [name, value] of [...known, ...sorted]) if (value !== undefined) attributes.set(`GRIB_${name}`, value)
  attributes.set('long_name', parameter.name)
  attributes.set('units', parameter.units)
  return attributes.set('standard_name', parameter.cfName)
}

function titleOf({ field }: Description): string | undefined {
  if (field.edition === 1) return gridTitleOfEdition1(field.grid?.[5] ?? 255)
  const { grid, identification } = field
  return gridTitleOfEdition2((grid[7] ?? 0) * 256 + (grid[8] ?? 0), identification[TABLES_VERSION] ?? 0)
}

/** Keys that hold whole numbers. */
const WHOLE: ReadonlySet<string> = new Set([
  'N',
  'J',
  'K',
  'M',
  'projectionCentreFlag',
  'Nside',
  'gridPointPosition',
  'ordering',
])

function gridEntries({ type, columns, rows, scanning, numbers, rowLengths }: GridDefinition): Entry[] {
  const [x, y] = type === 'regular_gg' ? ['Ni', 'Nj'] : ['Nx', 'Ny']
  const flags: Entry[] =
    rows === undefined
      ? []
      : [
          ['iScansNegatively', Number(scanning.iNegative)],
          ['jPointsAreConsecutive', Number(scanning.byColumns)],
          ['jScansPositively', Number(scanning.jPositive)],
        ]
  const own = [...numbers].map(([name, value]): Entry => [name, WHOLE.has(name) ? value : floatJson(value)])
  return [[x, columns], [y, rows], ['pl', type === 'reduced_gg' ? rowLengths : undefined], ...flags, ...own]
}
