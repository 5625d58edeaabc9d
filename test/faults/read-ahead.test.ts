import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { writeNetcdf3 } from '../corpus/netcdf3-writer.ts'
import { storeUrl } from '../corpus/service.ts'
import { ask } from './ask.ts'
import type { World } from './matrix.ts'
import { WAYS } from './validators.ts'
import { startWorld } from './world.ts'

const CHUNKS = 150
const FLOATS = 1500
const FLIP_MS = 25
const MILLISECONDS = 600
const AT_ONCE = 10

/** Chunks that lie one after the other, each of one byte that tells chunk and version. */
function fileOf(version: 0 | 1): Buffer {
  const variables = Array.from({ length: CHUNKS }, (_, index) => ({ name: `v${index}`, shape: [FLOATS] }))
  const { bytes, extents } = writeNetcdf3(variables, 100_000)
  for (let index = 0; index < CHUNKS; index++) {
    const { offset, length } = extents.get(`v${index}`) ?? { offset: 0, length: 0 }
    bytes.fill(byteOf(index, version), offset, offset + length)
  }
  bytes.fill(version + 1, 50_000, 51_000)
  return bytes
}

const byteOf = (index: number, version: 0 | 1) => (index % 100) * 2 + version

let world: World & { close(): Promise<void> }
before(async () => {
  world = await startWorld()
})
after(async () => await world.close())

/** Which version a chunk is of; it fails where it is of none, or of both. */
function versionOf(index: number, body: Buffer): number {
  assert.equal(body.length, 4 * FLOATS)
  const [first = -1] = body
  assert.ok(
    body.every((byte) => byte === first),
    `v${index} is mixed`,
  )
  const version = first - byteOf(index, 0)
  assert.ok(version === 0 || version === 1, `v${index} holds ${first}`)
  return version
}

test('what is tried here is read ahead', async () => {
  world.origin.put('still.nc', { bytes: fileOf(0), etag: '"still"' })
  const before = world.origin.requests.length
  assert.equal(await readOpened(storeUrl(world.service, world.origin.url('still.nc')), false), CHUNKS)
  assert.ok(world.origin.requests.length - before < CHUNKS / 2)
})

describe('FAULT-13, FAULT-15: a source that is replaced while its chunks are read one after the other', () => {
  for (const way of WAYS) {
    test(`each chunk is whole, and of the version of its store: ${way.name}`, async () => {
      const path = `ahead-${way.name.replaceAll(/\W+/g, '-')}.nc`
      const files = [fileOf(0), fileOf(1)] as const
      const put = (version: 0 | 1) => world.origin.put(path, { bytes: files[version], ...way.told(version) })
      put(0)
      const store = storeUrl(world.service, world.origin.url(path))
      const end = Date.now() + MILLISECONDS
      let reads = 0
      const flipping = async () => {
        for (let version: 0 | 1 = 1; Date.now() < end; version = version === 0 ? 1 : 0) {
          await setTimeout(FLIP_MS * (1 + Math.random() * 4))
          put(version)
        }
      }
      const reading = async () => {
        while (Date.now() < end) reads += await readOpened(store, way.isSilent === true)
      }
      await Promise.all([flipping(), reading()])
      assert.ok(reads > 0, 'no chunk was read')
    })
  }
})

/** Opens the source and reads all its chunks in their order, until one is refused: of a store that is pinned all are of one version. */
async function readOpened(store: string, isSilent: boolean): Promise<number> {
  const opened = await fetch(`${store}zarr.json`)
  await opened.arrayBuffer()
  const pin = /;version=[\w-]+/.exec(opened.headers.get('link') ?? '')?.[0]
  if (opened.status !== 200 || pin === undefined) return 0
  const indexes = Array.from({ length: CHUNKS }, (_, index) => index).values()
  const versions = new Set<number>()
  let isRefused = false
  let reads = 0
  const reader = async () => {
    for (const index of indexes) {
      if (isRefused) return
      const { status, body } = await ask(`${store.slice(0, -1)}${pin}/v${index}/c/0`)
      if (status === 200) {
        versions.add(versionOf(index, body))
        reads++
      } else {
        assert.ok([0, 409, 502, 503, 504].includes(status), `status ${status}`)
        isRefused = true
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, reader))
  // Who tells nothing can be replaced and put back unseen, but for what is compared around each read.
  if (!isSilent) assert.ok(versions.size <= 1, 'chunks of two versions under one name')
  return reads
}
