import { readdirSync, readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { DEFAULT_SOURCE_SETTINGS } from '../../../src/source/settings.ts'
import { Origin } from '../../helpers/origin.ts'
import { type TestStores, testStores } from '../../helpers/test-stores.ts'
import { FIXTURES } from './golden.ts'

/** Files of a fixture by their paths. */
export function fixtureFiles(name: string): ReadonlyMap<string, Uint8Array> {
  const folder = new URL(`${name}/`, FIXTURES)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`.slice(folder.pathname.length).replace(/^\//, '')
      return [path, new Uint8Array(readFileSync(`${entry.parentPath}/${entry.name}`))]
    }),
  )
}

/** A fixture at an origin, and stores that may read from there. */
export async function servedFixture(
  t: TestContext,
  name: string,
  freshSeconds = 600,
): Promise<{ readonly origin: Origin; readonly stores: TestStores; readonly url: string }> {
  const origin = new Origin()
  await origin.start()
  const stores = testStores({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base] }, { freshSeconds })
  t.after(async () => {
    await stores.close()
    await origin.close()
  })
  for (const [path, bytes] of fixtureFiles(name)) {
    origin.put(`repository/${path.split('/').map(encodeURIComponent).join('/')}`, bytes)
  }
  return { origin, stores, url: origin.url('repository/') }
}
