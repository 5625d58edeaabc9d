import { type Affine, flatAttributes, type Level } from '../formats/georeference/conventions.ts'
import { Float, isJsonObject, type Json } from '../json/json.ts'
import type { Attributes, AttributeValue, VirtualGroup } from '../model/virtual-store.ts'

/** Where the rasters of a group lie, as its attributes say it (CONV-8). */
export interface RasterPlace {
  readonly dimensions: readonly [rows: string, columns: string]
  readonly height: number
  readonly width: number
  readonly transform: Affine | undefined
  /** `EPSG:32633`. */
  readonly code: string | undefined
}

/** What a group says of its place; undefined where that is nothing, or makes no sense. */
export function placeOf({ attributes }: VirtualGroup): RasterPlace | undefined {
  const dimensions = attributes.get('spatial:dimensions')
  const shape = numbersIn(attributes.get('spatial:shape'))
  const transform = numbersIn(attributes.get('spatial:transform'))
  const code = attributes.get('proj:code')
  if (!Array.isArray(dimensions) || dimensions.length !== 2 || shape?.length !== 2) return undefined
  const [rows, columns] = dimensions as readonly AttributeValue[]
  const [height = 0, width = 0] = shape
  if (typeof rows !== 'string' || typeof columns !== 'string') return undefined
  return {
    dimensions: [rows, columns],
    height,
    width,
    transform: transform?.length === 6 ? (transform as unknown as Affine) : undefined,
    code: typeof code === 'string' ? code : undefined,
  }
}

/** The attributes of a group that lies elsewhere now: those that it had, in the order in which it had them. */
export function withPlace(attributes: Attributes, place: RasterPlace): Attributes {
  const told = new Map(flatAttributes({ levels: [levelOf('', place)], dimensions: place.dimensions, code: place.code }))
  const moved = new Map(attributes)
  for (const name of ['spatial:shape', 'spatial:transform', 'spatial:bbox']) {
    const value = told.get(name)
    if (value === undefined) moved.delete(name)
    else if (attributes.has(name)) moved.set(name, value)
  }
  return moved
}

/** A place as one of the levels that the conventions list. */
export function levelOf(name: string, { width, height, transform }: RasterPlace): Level {
  return { name, width, height, transform }
}

/** The transformation of an image that begins at another pixel of the same grid. */
export function movedTransform([a, b, c, d, e, f]: Affine, column: number, row: number): Affine {
  return [a, b, a * column + b * row + c, d, e, d * column + e * row + f]
}

/** GDAL's spelling of a transformation, in six numbers. */
export function geoTransformText([a, b, c, d, e, f]: Affine): string {
  return [c, a, b, f, d, e].join(' ')
}

/** Whether a text says the same transformation, but for rounding. */
export function saysTransform(text: AttributeValue | undefined, [a, b, c, d, e, f]: Affine): boolean {
  if (typeof text !== 'string') return false
  const numbers = text.trim().split(/\s+/).map(Number)
  const size = Math.abs(a) + Math.abs(b) + Math.abs(d) + Math.abs(e)
  return (
    numbers.length === 6 && [c, a, b, f, d, e].every((number, i) => Math.abs((numbers[i] ?? 0) - number) <= size * 1e-3)
  )
}

/** The levels of `multiscales`, by the names of their groups, the finest first. */
export function levelNames(attributes: Attributes): readonly string[] {
  const multiscales = attributes.get('multiscales') as Json | undefined
  const layout = isJsonObject(multiscales) ? multiscales['layout'] : undefined
  if (!Array.isArray(layout)) return []
  const entries = layout as readonly Json[]
  return entries.flatMap((entry) => (isJsonObject(entry) && typeof entry['asset'] === 'string' ? [entry['asset']] : []))
}

function numbersIn(value: AttributeValue | undefined): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined
  const numbers = (value as readonly AttributeValue[]).map((item) => (item instanceof Float ? item.value : item))
  return numbers.every((item) => typeof item === 'number') ? numbers : undefined
}
