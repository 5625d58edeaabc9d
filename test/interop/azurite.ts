import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { escaped, pathOfKey } from '../../src/source/clouds/location.ts'
import { signerOf, signSharedKey } from '../../src/source/clouds/shared-key.ts'
import { freePort, untilAnswers } from '../helpers/ports.ts'
import { npmTool } from './npm-tool.ts'

/** Azure's own emulator of its storage, on loopback. */
export interface AzureServer {
  /** Ends in `/`; the account follows. */
  readonly endpoint: string
  /** Makes a container. */
  make(container: string, access?: 'blob'): Promise<void>
  put(container: string, key: string, bytes: Uint8Array): Promise<void>
  /** A signature that lets read and list, for an hour. */
  sas(): string
  close(): Promise<void>
}

/** Where it is installed; undefined where it can't be had. */
export const azurite = () => npmTool('azurite', '3.35.0')

/** Azurite with one account; a reason to skip where it can't be had. */
export async function startAzure(account: string, key: string): Promise<AzureServer | { readonly skip: string }> {
  const place = azurite()
  if (place === undefined) return { skip: "azurite can't be had from this registry" }
  const folder = mkdtempSync(join(tmpdir(), 'azurite-'))
  const port = await freePort()
  const main = join(place, 'dist/src/blob/main.js')
  const args = [main, '--blobHost', '127.0.0.1', '--blobPort', String(port), '--silent']
  const env = { ...process.env, AZURITE_ACCOUNTS: `${account}:${key}` }
  const child = spawn(process.execPath, [...args, '--inMemoryPersistence', '--disableTelemetry'], {
    stdio: 'ignore',
    cwd: folder,
    env,
  })
  const endpoint = `http://127.0.0.1:${port}/`
  await untilAnswers(endpoint)

  async function put(path: string, own: Readonly<Record<string, string>>, bytes?: Uint8Array): Promise<void> {
    const url = new URL(`${account}/${path}`, endpoint)
    const length = bytes === undefined || bytes.length === 0 ? {} : { 'content-length': String(bytes.length) }
    const dated = { ...own, ...length, 'x-ms-version': '2020-10-02', 'x-ms-date': new Date().toUTCString() }
    const { 'content-length': _told, ...headers } = {
      'content-length': '',
      ...signSharedKey({ method: 'PUT', url, headers: dated, account }, signerOf(key)),
    }
    const send = () => fetch(url, { method: 'PUT', headers, body: bytes === undefined ? null : Buffer.from(bytes) })
    // It closes connections that were idle for a moment, also under a request that has just begun.
    const response = await send().catch(send)
    assert.ok(response.ok, `PUT ${path}: ${response.status} ${await response.text()}`)
  }

  return {
    endpoint,
    make: (container, access) =>
      put(`${container}?restype=container`, access === undefined ? {} : { 'x-ms-blob-public-access': access }),
    put: (container, name, bytes) => {
      const type = { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream' }
      return put(`${container}/${pathOfKey(name)}`, type, bytes)
    },
    sas: () => {
      const until = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '')
      const text = [account, 'rl', 'b', 'co', '', until, '', 'https,http', '2020-10-02', ''].join('\n')
      const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')
      return `sv=2020-10-02&ss=b&srt=co&sp=rl&se=${escaped(until)}&spr=https,http&sig=${escaped(signature)}`
    },
    close: async () => {
      const exited = once(child, 'exit')
      child.kill()
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
