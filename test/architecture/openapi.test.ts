import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openapiYaml } from '../../scripts/openapi.ts'

test('openapi.yaml says what the routes promise; npm run openapi writes it', async () => {
  assert.equal(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'), await openapiYaml())
})
