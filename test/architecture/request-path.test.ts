import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCodec, requestPaths } from '../../scripts/request-path.ts'

test('the request-path indicator reports every kind of request', async () => {
  const paths = await requestPaths()
  assert.deepEqual(
    paths.map(({ name }) => name),
    ['cold open', 'warm document', 'passed chunk', 'enveloped chunk', 'recoded chunk'],
  )
  for (const { name, files } of paths) {
    assert.ok(
      [...files].some(([file]) => !isCodec(file)),
      name,
    )
  }
})
