import { chainPackage } from './chain-package.ts'
import type { LoadKey } from './kept-key.ts'

const PACKAGE = 'google-auth-library'
export const READ_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only'

/** What of that package is used. */
interface GoogleClient {
  getAccessToken(): Promise<{ readonly token?: string | null }>
  readonly credentials: { readonly expiry_date?: number | null }
  setCredentials(credentials: { readonly expiry_date?: number | null }): void
}
type GoogleAuth = new (options: { readonly scopes: string }) => { getClient(): Promise<GoogleClient> }

/** Google's own chain: a file of credentials, workload identity, the command line's login, the machine's service account. */
export function googleChain(): LoadKey {
  let client: GoogleClient | undefined
  return async (isRefused) => {
    client ??= await openChain()
    // It keeps its token until that expires, whatever a store says of it.
    if (isRefused) client.setCredentials({ ...client.credentials, expiry_date: 1 })
    const { token } = await client.getAccessToken()
    if (typeof token !== 'string' || token === '') throw new Error('the chain gave no token')
    return { key: { kind: 'bearer', token }, expires: client.credentials.expiry_date ?? undefined }
  }
}

async function openChain(): Promise<GoogleClient> {
  const { GoogleAuth } = (await chainPackage(PACKAGE)) as { GoogleAuth: GoogleAuth }
  return await new GoogleAuth({ scopes: READ_SCOPE }).getClient()
}
