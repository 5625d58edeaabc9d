import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { assertAllEqual, exampleFiles, readExamples } from './cloud-examples.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { type S3Server, startS3 } from './versitygw.ts'

const KEY = { accessKeyId: 'testkey', secretAccessKey: 'CANARYsecretOfTheStore' }

describe('S3, spoken by versitygw', () => {
  let store: S3Server | { readonly skip: string }
  let server: ServerProcess | undefined
  const folder = mkdtempSync(join(tmpdir(), 'interop-s3-'))
  const config = join(folder, 'config.json')
  let examples: StaticOrigin
  before(async () => {
    examples = await startStaticOrigin(new URL('../../examples/', import.meta.url))
    store = await startS3(KEY)
    if ('skip' in store) return
    await store.make('examples')
    for (const [key, bytes] of exampleFiles()) await store.put('examples', `of é+/${key}`, bytes)
    const credentials = [
      {
        prefix: 's3://examples/',
        kind: 'static',
        access_key_id: KEY.accessKeyId,
        secret_access_key: { env: 'STORE_SECRET' },
      },
    ]
    writeFileSync(config, JSON.stringify({ credentials, s3_endpoint: store.endpoint }))
    server = await startServer({ VZ_CONFIG: config, VZ_ALLOW_SOURCES: examples.url, STORE_SECRET: KEY.secretAccessKey })
  })
  after(async () => {
    await server?.stop()
    if (store !== undefined && 'close' in store) await store.close()
    await examples?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('SPEC 9: every example reads through the service as its file does', async (t) => {
    if ('skip' in store || server === undefined) return t.skip('skip' in store ? store.skip : '')
    const rows = await readExamples({ url: server.url, examples: examples.url }, (key) => `s3://examples/of é+/${key}`)
    console.log(`${assertAllEqual(rows)} arrays equal`)
  })
})
