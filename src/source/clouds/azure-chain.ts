import { chainPackage } from './chain-package.ts'
import type { LoadKey } from './kept-key.ts'

const PACKAGE = '@azure/identity'
const SCOPE = 'https://storage.azure.com/.default'

/** What of that package is used. */
interface Identity {
  getToken(scope: string): Promise<{ readonly token: string; readonly expiresOnTimestamp: number }>
}

/** Azure's own chain: environment, workload identity, managed identity, command line. */
export function azureChain(): LoadKey {
  let identity: Identity | undefined
  return async () => {
    identity ??= await openChain()
    const { token, expiresOnTimestamp } = await identity.getToken(SCOPE)
    return { key: { kind: 'bearer', token }, expires: expiresOnTimestamp }
  }
}

async function openChain(): Promise<Identity> {
  const { DefaultAzureCredential } = (await chainPackage(PACKAGE)) as { DefaultAzureCredential: new () => Identity }
  return new DefaultAzureCredential()
}
