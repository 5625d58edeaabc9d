import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/server/config.ts'
import { openService, type Service } from '../../src/server/service.ts'
import type { ArrayNode } from '../../src/service/open-store.ts'
import { addressOfUrl, type StoreAddress } from '../../src/service/store-address.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const FILES = ['sea-surface.nc', 'buoy.nc', 'relief.nc', 'atmosphere.nc', 'currents.nc']

/** An array at the root of an example in NetCDF, as the command line opens it. */
export interface ExampleArray {
  readonly file: string
  readonly path: string
  readonly node: ArrayNode
  readonly address: StoreAddress
}

/** A service that reads the examples from disk. */
export function exampleService(): Service {
  return openService(
    readConfig({ flags: {}, environment: {}, bundledCatalog: undefined, paths: [fileURLToPath(EXAMPLES)] }),
  )
}

export async function* exampleArrays({ stores }: Pick<Service, 'stores'>): AsyncGenerator<ExampleArray> {
  for (const name of FILES) {
    const { href } = new URL(name, EXAMPLES)
    const address = addressOfUrl(href, new Map([['codecs', 'raw']]))
    const { store } = await stores.describe(address)
    for (const [path, node] of store.nodes) {
      if (node.kind === 'array' && !path.includes('/')) yield { file: fileURLToPath(href), path, node, address }
    }
  }
}
