import type { Affine } from '../../formats/georeference/conventions.ts'
import type { Attributes, AttributeValue } from '../../model/virtual-store.ts'
import { numberOf } from '../packing.ts'
import { textAttribute } from '../times-of.ts'
import { type PartTree, splitPath } from '../tree.ts'

/** Where the arrays of a group lie on Earth, as its attributes say (the `spatial:` convention). */
export interface Placement {
  readonly transform: Affine
  readonly height: number
  readonly width: number
  /** Names of the dimensions of rows and of columns. */
  readonly dimensions: readonly [string, string]
  readonly system: ReferenceSystem
}

interface ReferenceSystem {
  /** `EPSG:32633`. */
  readonly code: string | undefined
  readonly wkt: string | undefined
}

/** Undefined where the group says no place. */
export function placementOf(tree: PartTree, group: string, rename: ReadonlyMap<string, string>): Placement | undefined {
  const attributes = attributesOf(tree, group)
  const [a, b, c, d, e, f] = numbersOf(attributes.get('spatial:transform'))
  const [height, width] = numbersOf(attributes.get('spatial:shape'))
  const [rows, columns] = textsOf(attributes.get('spatial:dimensions'))
  if (f === undefined || a === undefined || b === undefined || c === undefined || d === undefined || e === undefined)
    return undefined
  if (height === undefined || width === undefined || rows === undefined || columns === undefined) return undefined
  return {
    transform: [a, b, c, d, e, f],
    height,
    width,
    dimensions: [rename.get(rows) ?? rows, rename.get(columns) ?? columns],
    system: { code: textAttribute(attributes.get('proj:code')), wkt: wktOf(tree, group) },
  }
}

export function attributesOf(tree: PartTree, group: string): Attributes {
  return (group === '' ? tree.attributes : tree.groups.get(group)?.attributes) ?? new Map()
}

/** The variable of a group that says what its reference system is, by path. */
export function gridMappingOf(tree: PartTree, group: string): string | undefined {
  for (const [path, array] of tree.arrays) {
    if (array.kind !== 'array' || splitPath(path).parent !== group) continue
    const named = textAttribute(array.attributes.get('grid_mapping'))?.split(/[\s:]/)[0]
    if (named === undefined || named === '') continue
    const mapping = group === '' ? named : `${group}/${named}`
    if (tree.arrays.get(mapping)?.kind === 'array') return mapping
  }
  return undefined
}

function wktOf(tree: PartTree, group: string): string | undefined {
  const mapping = tree.arrays.get(gridMappingOf(tree, group) ?? '')
  if (mapping?.kind !== 'array') return undefined
  return textAttribute(mapping.attributes.get('crs_wkt')) ?? textAttribute(mapping.attributes.get('spatial_ref'))
}

function numbersOf(value: AttributeValue | undefined): readonly number[] {
  if (!Array.isArray(value)) return []
  return (value as readonly AttributeValue[]).map((item) => numberOf(item) ?? Number.NaN)
}

function textsOf(value: AttributeValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
