import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { valuesJson } from '../../src/server/values-text.ts'
import { openReading } from '../../src/service/values/read-array.ts'
import { exampleArrays, exampleService } from './example-arrays.ts'
import { interopPython } from './venv.ts'

const service = exampleService()
after(async () => await service.close())

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

test('TEST-1: `read --decoded` prints what xarray shows of the same file: masks, packing, signs and times', async () => {
  const cases: string[] = []
  for await (const { file, path, address } of exampleArrays(service)) {
    const reading = await openReading(service.stores, { address, path, slice: undefined, isDecoded: true })
    const { values } = JSON.parse(await textOf(valuesJson(reading, true)))
    cases.push(JSON.stringify({ file, array: path, values }))
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
