import { flatAttributes, type Level, multiscaleAttributes } from '../../formats/georeference/conventions.ts'
import { isJsonObject, type Json } from '../../json/json.ts'
import type { Attributes, AttributeValue } from '../../model/virtual-store.ts'
import type { PartTree } from '../tree.ts'

/** Where a group of a mosaic lies, as its attributes say. */
export interface PlacedLevel {
  readonly level: Level & { readonly transform: NonNullable<Level['transform']> }
  readonly dimensions: readonly [string, string]
  readonly code: string | undefined
}

/** Names of the groups that are levels of one pyramid, the full resolution first. */
export function levelNames({ attributes }: Pick<PartTree, 'attributes'>): readonly string[] {
  const multiscales = attributes.get('multiscales') as Json | undefined
  const layout = isJsonObject(multiscales) ? multiscales['layout'] : undefined
  if (!Array.isArray(layout)) return []
  return layout.flatMap((entry) => {
    const asset = isJsonObject(entry) ? entry['asset'] : undefined
    return typeof asset === 'string' ? [asset] : []
  })
}

/** Attributes of a group without those that said where one raster lay. */
export function groupAttributes(own: Attributes, { level, dimensions, code }: PlacedLevel): Attributes {
  return new Map([...flatAttributes({ levels: [level], dimensions, code }), ...withoutPlace(own)])
}

/** The same of the root, where the levels of a pyramid stand below it. */
export function rootAttributes(
  own: Attributes,
  root: PlacedLevel | undefined,
  levels: readonly PlacedLevel[],
): Attributes {
  const [full] = levels
  const others = root === undefined ? new Map(withoutPlace(own)) : groupAttributes(own, root)
  if (full === undefined || (root !== undefined && levels.length < 2)) return others
  const { dimensions, code } = full
  return new Map([...multiscaleAttributes({ levels: levels.map(({ level }) => level), dimensions, code }), ...others])
}

function withoutPlace(own: Attributes): [string, AttributeValue][] {
  return [...own].filter(([name]) => !PLACE.has(name))
}

const PLACE: ReadonlySet<string> = new Set([
  'zarr_conventions',
  'multiscales',
  'proj:code',
  'spatial:dimensions',
  'spatial:shape',
  'spatial:transform',
  'spatial:bbox',
  'spatial:registration',
])
