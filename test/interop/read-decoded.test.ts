import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/server/config.ts'
import { openService } from '../../src/server/service.ts'
import { valuesJson } from '../../src/server/values-text.ts'
import { addressOfUrl } from '../../src/service/store-address.ts'
import { openReading } from '../../src/service/values/read-array.ts'
import { interopPython } from './venv.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const FILES = ['sea-surface.nc', 'buoy.nc', 'relief.nc', 'atmosphere.nc', 'currents.nc']

const config = readConfig({
  flags: {},
  environment: {},
  bundledCatalog: undefined,
  paths: [fileURLToPath(EXAMPLES)],
})
const service = openService(config)
after(async () => await service.close())

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

test('TEST-1: `read --decoded` prints what xarray shows of the same file: masks, packing, signs and times', async () => {
  const cases: string[] = []
  for (const name of FILES) {
    const { href } = new URL(name, EXAMPLES)
    const address = addressOfUrl(href, new Map([['codecs', 'raw']]))
    const { store } = await service.stores.describe(address)
    for (const [path, node] of store.nodes) {
      if (node.kind !== 'array' || path.includes('/')) continue
      const reading = await openReading(service.stores, { address, path, slice: undefined, isDecoded: true })
      const { values } = JSON.parse(await textOf(valuesJson(reading, true)))
      cases.push(JSON.stringify({ file: fileURLToPath(href), array: path, values }))
    }
  }
  const script = fileURLToPath(new URL('python/decoded_check.py', import.meta.url))
  const input = `${cases.join('\n')}\n`
  const { status, stdout, stderr } = spawnSync(interopPython(), [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  assert.equal(status, 0, stderr)
  assert.ok(cases.length > 20)
  assert.equal(stdout.trim(), `compared ${cases.length}`)
})
