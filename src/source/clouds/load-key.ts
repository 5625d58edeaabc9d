import { readFile } from 'node:fs/promises'
import type { Cloud, CloudKey } from './cloud.ts'
import type { LoadedKey, LoadKey } from './kept-key.ts'
import { selfSignedToken } from './service-account.ts'
import type { CredentialSettings, SecretText } from './settings.ts'

/** How long what a file says is good: who writes tokens to files writes the next one in time. */
const FILE_MS = 60_000

/** How the key that settings describe is got; undefined for who asks anonymously. */
export function loadKeyOf(cloud: Cloud, settings: CredentialSettings): LoadKey | undefined {
  switch (settings.kind) {
    case 'anonymous':
      return undefined
    case 'default':
      return cloud.chain()
    case 'static':
      return () =>
        loaded([settings.accessKeyId, settings.secretAccessKey, settings.sessionToken], (texts) => {
          const [accessKeyId = '', secretAccessKey = '', sessionToken] = texts
          return { kind: 'aws', accessKeyId, secretAccessKey, sessionToken }
        })
    case 'bearer':
    case 'sas':
      return () => loaded([settings.token], ([token = '']) => ({ kind: settings.kind, token }))
    case 'service-account':
      return async () => selfSignedToken(await textOf(settings.key))
    case 'shared-key':
      return () => loaded([settings.accountKey], ([accountKey = '']) => ({ kind: 'shared-key', accountKey }))
  }
}

async function loaded(
  secrets: readonly (SecretText | undefined)[],
  toKey: (texts: readonly (string | undefined)[]) => CloudKey,
): Promise<LoadedKey> {
  const texts = await Promise.all(secrets.map((secret) => secret && textOf(secret)))
  const isOfFiles = secrets.some((secret) => secret !== undefined && 'file' in secret)
  return { key: toKey(texts), expires: isOfFiles ? Date.now() + FILE_MS : undefined }
}

/** Files end in a line break that is no part of the secret. */
async function textOf(secret: SecretText): Promise<string> {
  if ('text' in secret) return secret.text
  const text = (await readFile(secret.file, 'utf8')).trim()
  if (text === '') throw new Error('the file is empty')
  return text
}
