import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/server/config.ts'
import { openService } from '../../src/server/service.ts'
import { statisticsJson } from '../../src/server/statistics-text.ts'
import { addressOfUrl } from '../../src/service/store-address.ts'
import { openReading } from '../../src/service/values/read-array.ts'
import { readStatistics } from '../../src/service/values/statistics.ts'
import { interopPython } from './venv.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const FILES = ['sea-surface.nc', 'buoy.nc', 'relief.nc', 'atmosphere.nc', 'currents.nc']

const config = readConfig({ flags: {}, environment: {}, bundledCatalog: undefined, paths: [fileURLToPath(EXAMPLES)] })
const service = openService(config)
after(async () => await service.close())

test('`read --stats` finds what NumPy finds in what netCDF4 and xarray read of the same file', async () => {
  const cases: string[] = []
  for (const name of FILES) {
    const { href } = new URL(name, EXAMPLES)
    const address = addressOfUrl(href, new Map([['codecs', 'raw']]))
    const { store } = await service.stores.describe(address)
    for (const [path, node] of store.nodes) {
      if (node.kind !== 'array' || path.includes('/')) continue
      const slices = node.array.shape.length === 0 ? [undefined] : [undefined, '1:-1']
      for (const isDecoded of [false, true]) {
        for (const slice of slices) {
          const reading = await openReading(service.stores, { address, path, slice, isDecoded })
          const told = JSON.parse(statisticsJson(reading, await readStatistics(reading, () => undefined)))
          cases.push(
            JSON.stringify({ file: fileURLToPath(href), array: path, isDecoded, isCut: slice !== undefined, told }),
          )
        }
      }
    }
  }
  const script = fileURLToPath(new URL('python/statistics_check.py', import.meta.url))
  const { status, stdout, stderr } = spawnSync(interopPython(), ['-W', 'ignore', script], {
    input: `${cases.join('\n')}\n`,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  assert.ok(cases.length > 100)
  assert.equal(stdout.trim(), `compared ${cases.length}`)
})
