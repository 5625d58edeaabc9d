import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awsChain } from '../../../src/source/clouds/aws-chain.ts'
import { azureChain } from '../../../src/source/clouds/azure-chain.ts'
import { googleChain } from '../../../src/source/clouds/google-chain.ts'
import { failure } from '../world.ts'

test("a cloud's own chain is an error that names its package, where that is not installed", async () => {
  const chains = [
    [awsChain(), /npm install @aws-sdk\/credential-providers$/],
    [googleChain(), /npm install google-auth-library$/],
    [azureChain(), /npm install @azure\/identity$/],
  ] as const
  for (const [load, message] of chains) {
    await assert.rejects(load(false), { ...failure('unsupported-feature'), message })
  }
})
