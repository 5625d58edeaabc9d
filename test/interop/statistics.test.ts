import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { statisticsJson } from '../../src/server/statistics-text.ts'
import { openReading } from '../../src/service/values/read-array.ts'
import { readStatistics } from '../../src/service/values/statistics.ts'
import { exampleArrays, exampleService } from './example-arrays.ts'
import { interopPython } from './venv.ts'

const service = exampleService()
after(async () => await service.close())

test('`read --stats` finds what NumPy finds in what netCDF4 and xarray read of the same file', async () => {
  const cases: string[] = []
  for await (const { file, path, node, address } of exampleArrays(service)) {
    const slices = node.array.shape.length === 0 ? [undefined] : [undefined, '1:-1']
    for (const isDecoded of [false, true]) {
      for (const slice of slices) {
        const reading = await openReading(service.stores, { address, path, slice, isDecoded })
        const told = JSON.parse(statisticsJson(reading, await readStatistics(reading, () => undefined)))
        cases.push(JSON.stringify({ file, array: path, isDecoded, isCut: slice !== undefined, told }))
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
