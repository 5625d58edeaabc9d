import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { VirtualZarrError } from '../../errors.ts'
import { READ_SCOPE } from './google-chain.ts'
import type { LoadedKey } from './kept-key.ts'

const LIFE_SECONDS = 3600
/** Clocks that are a little behind must not take a token for one of tomorrow. */
const BACK_SECONDS = 30

/** A token that a service account signs itself (https://google.aip.dev/auth/4111): nobody has to be asked for one. */
export function selfSignedToken(keyFile: string): LoadedKey {
  const { email, privateKey, keyId, project } = parseKeyFile(keyFile)
  const issued = Math.floor(Date.now() / 1000) - BACK_SECONDS
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId }
  const claims = { iss: email, sub: email, scope: READ_SCOPE, iat: issued, exp: issued + LIFE_SECONDS }
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64url')
  return { key: { kind: 'bearer', token: `${text}.${signature}`, project }, expires: claims.exp * 1000 }
}

interface ServiceAccount {
  readonly email: string
  readonly privateKey: KeyObject
  readonly keyId: string
  readonly project: string | undefined
}

/** The JSON file that Google gives for a service account; what is wrong with it is told without what it holds. */
function parseKeyFile(text: string): ServiceAccount {
  try {
    const file = JSON.parse(text) as Readonly<Record<string, unknown>>
    const { type, client_email: email, private_key: pem, private_key_id: keyId, project_id: project } = file
    if (type === 'service_account' && typeof email === 'string' && typeof pem === 'string') {
      return {
        email,
        privateKey: createPrivateKey(pem),
        keyId: String(keyId),
        project: typeof project === 'string' ? project : undefined,
      }
    }
  } catch {
    // What the parsers say shows parts of the text.
  }
  const members = 'type service_account, client_email and private_key'
  throw new VirtualZarrError('source-unavailable', `the key of a service account is no JSON with ${members}`)
}
