import { numbersOf } from '../../src/codecs/numbers.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { type Dataset, type DatasetVariable, netcdfDataset } from '../helpers/netcdf-dataset.ts'
import { Origin } from '../helpers/origin.ts'
import { type TestLimits, type TestStore, type TestStores, testStores } from '../helpers/test-stores.ts'

/** A host of files, and the whole pipeline that reads them. */
export class JoinWorld {
  readonly origin = new Origin()
  #stores: TestStores | undefined

  async start(limits: TestLimits = {}): Promise<void> {
    await this.origin.start()
    await this.restart(limits)
  }

  /** Another process that reads the same files. */
  async restart(limits: TestLimits = {}): Promise<void> {
    await this.#stores?.close()
    this.#stores = testStores({ ...DEFAULT_SOURCE_SETTINGS, allow: [this.origin.base] }, limits)
  }

  async close(): Promise<void> {
    await this.#stores?.close()
    await this.origin.close()
  }

  put(path: string, dataset: Dataset, etag = '"v1"'): void {
    this.origin.put(path, { bytes: netcdfDataset(dataset), etag })
  }

  /** A folder that lists these names. */
  folder(path: string, names: readonly string[]): void {
    const links = names.map((name) => `<a href="${name}">${name}</a>`)
    const bytes = Buffer.from(`<html><title>Index of /</title><body>${links.join('\n')}</body></html>`)
    this.origin.put(path, { bytes, contentType: 'text/html' })
  }

  /** The store of a join document; each has a name of its own, so that none is remembered. */
  join(document: object, name = `join-${Math.random()}.json`): TestStore {
    this.origin.put(name, Buffer.from(JSON.stringify({ virtual_zarr: 'join/1', ...document })))
    return this.open(name)
  }

  open(path: string, options: Readonly<Record<string, string>> = {}): TestStore {
    if (this.#stores === undefined) throw new Error('not started')
    return this.#stores.open(this.origin.base + path, options)
  }
}

/** One that asks the origin before each answer whether it is still right. */
export async function impatientWorld(): Promise<JoinWorld> {
  const world = new JoinWorld()
  await world.start({ freshSeconds: 0 })
  return world
}

/** All values as plain numbers. */
export async function numbers(store: TestStore, path: string): Promise<number[]> {
  const values = await store.values(path)
  const node = (await store.describe()).store.nodes.get(path)
  if (values.kind !== 'fixed' || node?.kind !== 'array') throw new Error(`${path} holds no numbers`)
  return Array.from(numbersOf(values.bytes, node.array.dataType), Number)
}

/** A file of `days` days of a temperature on a small grid, counted from `since`. */
export function month(
  since: string,
  days: number,
  change: {
    first?: number
    units?: string
    variables?: Readonly<Record<string, DatasetVariable>>
    lat?: readonly number[]
    attributes?: Readonly<Record<string, string | number>>
    calendar?: string
    temperature?: Partial<DatasetVariable>
  } = {},
): Dataset {
  const {
    first = 0,
    units = `days since ${since}`,
    variables = {},
    lat = [-10, 10],
    attributes = {},
    calendar,
  } = change
  const times = Array.from({ length: days }, (_none, day) => day)
  return {
    dims: { time: days, lat: lat.length },
    attributes,
    variables: {
      time: {
        dims: ['time'],
        type: 'int',
        values: times,
        attributes: { units, ...(calendar === undefined ? {} : { calendar }) },
      },
      lat: { dims: ['lat'], type: 'float', values: lat, attributes: { units: 'degrees_north' } },
      t: {
        dims: ['time', 'lat'],
        type: 'float',
        values: times.flatMap((day) => lat.map((_none, row) => first + day * 10 + row)),
        attributes: { units: 'K' },
        ...change.temperature,
      },
      ...variables,
    },
  }
}
