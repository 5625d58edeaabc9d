import { chainPackage } from './chain-package.ts'
import type { LoadKey } from './kept-key.ts'

const PACKAGE = '@aws-sdk/credential-providers'

/** What of that package is used. */
type Provider = (options?: { readonly forceRefresh?: boolean }) => Promise<{
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly expiration?: Date
}>

/** AWS's own chain: environment, profiles, web identity, roles of containers and instances. */
export function awsChain(): LoadKey {
  let provider: Provider | undefined
  return async (isRefused) => {
    provider ??= await openChain()
    const given = await provider(isRefused ? { forceRefresh: true } : {})
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = given
    return { key: { kind: 'aws', accessKeyId, secretAccessKey, sessionToken }, expires: expiration?.getTime() }
  }
}

async function openChain(): Promise<Provider> {
  const { fromNodeProviderChain } = (await chainPackage(PACKAGE)) as { fromNodeProviderChain(): Provider }
  return fromNodeProviderChain()
}
