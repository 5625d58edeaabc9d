import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awsChain } from '../../../src/source/clouds/aws-chain.ts'
import { failure } from '../world.ts'

test("a cloud's own chain is an error that names its package, where that is not installed", async () => {
  const load = awsChain()
  await assert.rejects(load(false), {
    ...failure('unsupported-feature'),
    message: /npm install @aws-sdk\/credential-providers$/,
  })
})
