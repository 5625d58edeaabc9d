import { isVirtualZarrError } from '../../src/errors.ts'
import { Float } from '../../src/json/json.ts'
import type { Diagnostic, VirtualArray } from '../../src/model/virtual-store.ts'
import { rasterValues } from './raster-reference.ts'
import type { TestStore } from './test-stores.ts'

/** A raster as the service serves it, in the terms of the reference reader. */
export interface ServedRaster {
  readonly width: number
  readonly height: number
  readonly transform: readonly number[] | undefined
  readonly bands: readonly ServedBand[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface ServedBand {
  readonly dtype: string
  readonly values: readonly (number | bigint)[]
  /** The `_FillValue` of its array. */
  readonly nodata: number | bigint | undefined
  readonly scale: number
  readonly offset: number
  /** Not zero where the band is valid; undefined where it has no mask. */
  readonly mask: readonly (number | bigint)[] | undefined
}

/** An error that the service answers with a status: a typed refusal. */
export interface Refusal {
  readonly refusal: { readonly code: string; readonly message: string }
}

/** Reads the bands of a store of one raster: `band_data`, or `band_1`, `band_2`, …. */
export async function readServed(store: TestStore): Promise<ServedRaster | Refusal> {
  try {
    const { parsed, store: opened } = await store.describe()
    const names = [...opened.nodes.keys()].filter((name) => /^band_(?:data|\d+)$/.test(name))
    const masks = opened.nodes.has('mask/band_data') ? await valuesOf(store, 'mask/band_data') : undefined
    const bands: ServedBand[] = []
    let size: readonly number[] = []
    for (const name of names.toSorted((one, other) => numberIn(one) - numberIn(other))) {
      const node = opened.nodes.get(name)
      if (node?.kind !== 'array') throw new Error(`${name} is no array`)
      const { array } = node
      size = array.shape.slice(-2)
      const values = await valuesOf(store, name)
      const count = (size[0] ?? 0) * (size[1] ?? 0) * (array.dataType.kind === 'complex' ? 2 : 1)
      for (let from = 0; from < values.length; from += count)
        bands.push({ ...described(array), values: values.slice(from, from + count), mask: masks })
    }
    const [height = 0, width = 0] = size
    return { width, height, transform: transformOf(opened.root), bands, diagnostics: parsed.diagnostics }
  } catch (error) {
    if (!isVirtualZarrError(error)) throw error
    return { refusal: { code: error.code, message: error.message } }
  }
}

function numberIn(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0)
}

async function valuesOf(store: TestStore, path: string): Promise<(number | bigint)[]> {
  const node = (await store.describe()).store.nodes.get(path)
  if (node?.kind !== 'array') throw new Error(`${path} is no array`)
  const values = await store.values(path)
  if (values.kind !== 'fixed') throw new Error(`${path} holds no numbers`)
  return rasterValues(values.bytes, typeOf(node.array))
}

function typeOf({ dataType }: VirtualArray): string {
  return 'bits' in dataType ? `${dataType.kind}${dataType.bits}` : dataType.kind
}

function described(array: VirtualArray): Omit<ServedBand, 'values' | 'mask'> {
  const { fillValue } = array.sentinels
  const attribute = (name: string) => {
    const value = array.attributes.get(name)
    return value instanceof Float ? value.value : typeof value === 'number' ? value : undefined
  }
  return {
    dtype: typeOf(array),
    nodata: fillValue?.kind === 'number' || fillValue?.kind === 'bigint' ? fillValue.value : undefined,
    scale: attribute('scale_factor') ?? 1,
    offset: attribute('add_offset') ?? 0,
  }
}

function transformOf(root: unknown): readonly number[] | undefined {
  const { attributes } = root as { attributes: ReadonlyMap<string, unknown> }
  const value = attributes.get('spatial:transform')
  if (!Array.isArray(value)) return undefined
  return value.map((number) => (number instanceof Float ? number.value : Number(number)))
}
