import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOfKey } from '../../src/source/clouds/location.ts'
import { signerV4 } from '../../src/source/clouds/sigv4.ts'
import { freePort, untilAnswers } from '../helpers/ports.ts'
import { goTool } from './go-tool.ts'

/** A server that speaks S3, with versions, on loopback. */
export interface S3Server {
  /** Ends in `/`. */
  readonly endpoint: string
  readonly key: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Makes a bucket. */
  make(bucket: string, versioned?: 'versioned'): Promise<void>
  /** Writes an object; answers its version. */
  put(bucket: string, key: string, bytes: Uint8Array): Promise<string | undefined>
  remove(bucket: string, key: string): Promise<void>
  close(): Promise<void>
}

/** Its program; undefined where it can't be had. */
export const versitygw = () => goTool('github.com/versity/versitygw/cmd/versitygw', 'v1.0.14')

/** versitygw, made by others, over a folder; a reason to skip where it can't be had. */
export async function startS3(key: S3Server['key']): Promise<S3Server | { readonly skip: string }> {
  const program = versitygw()
  if (program === undefined)
    return { skip: 'versitygw could not be had: it is built with Go from its published module' }
  const folder = mkdtempSync(join(tmpdir(), 'versitygw-'))
  for (const name of ['data', 'versions']) mkdirSync(join(folder, name))
  const port = await freePort()
  const args = [
    '--port',
    `127.0.0.1:${port}`,
    '--quiet',
    'posix',
    '--versioning-dir',
    join(folder, 'versions'),
    join(folder, 'data'),
  ]
  const env = { ROOT_ACCESS_KEY_ID: key.accessKeyId, ROOT_SECRET_ACCESS_KEY: key.secretAccessKey }
  const child = spawn(program, args, { stdio: 'ignore', env })
  const endpoint = `http://127.0.0.1:${port}/`
  await untilAnswers(endpoint)

  async function ask(method: string, path: string, body: string | Uint8Array = ''): Promise<Response> {
    const url = new URL(path, endpoint)
    const sum = createHash('sha256').update(body).digest('hex')
    const headers = { 'x-amz-content-sha256': sum }
    const terms = { host: url.host, headers, region: 'us-east-1', service: 's3', now: new Date() }
    const response = await fetch(url, {
      method,
      headers: signerV4(terms, key)(method, url),
      body: body === '' ? null : Buffer.from(body),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return response
  }

  return {
    endpoint,
    key,
    make: async (bucket, versioned) => {
      const versions = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
      await ask('PUT', `/${bucket}`)
      if (versioned !== undefined) await ask('PUT', `/${bucket}?versioning`, versions)
    },
    put: async (bucket, name, bytes) => {
      const response = await ask('PUT', `/${bucket}/${pathOfKey(name)}`, bytes)
      return response.headers.get('x-amz-version-id') ?? undefined
    },
    remove: async (bucket, name) => void (await ask('DELETE', `/${bucket}/${pathOfKey(name)}`)),
    close: async () => {
      const exited = once(child, 'exit')
      child.kill()
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
