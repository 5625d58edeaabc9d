import assert from 'node:assert/strict'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type CloudService, storeOf } from './cloud-service.ts'

/** Keys with every sign that means something somewhere: each is an object of its own. */
const ODD_KEYS = [
  'a+b',
  'a b',
  'a%20b',
  'a%2Bb',
  'é',
  'e\u0301',
  '//x',
  'x//y',
  'a..b/...',
  'q?x=1&y',
  'h#x',
  "=&!'()*~,;:@$",
  'b\\c',
  '[x]{y}|^`"<>',
  '100%',
]

/** Writes files with odd keys into a folder, and reads each through the service; `not` are those that a store can't hold. */
export async function readOddKeys(
  service: CloudService,
  folder: string,
  put: (key: string, bytes: Uint8Array) => Promise<unknown>,
  not: readonly string[] = [],
): Promise<void> {
  const keys = ODD_KEYS.filter((key) => !not.includes(key))
  for (const [at, key] of keys.entries()) await put(key, netcdf3File({ first: at * 1000 }))
  for (const [at, key] of keys.entries()) {
    const location = `${folder}${key.replaceAll('%', '%25').replaceAll('*', '%2A')}`
    const chunk = await service.get(`${storeOf(location)}temperature/c/0/0`)
    assert.equal(chunk.status, 200, `${key}: ${chunk.bytes}`)
    assert.equal(chunk.bytes.readFloatBE(0), at * 1000, key)
  }
}
