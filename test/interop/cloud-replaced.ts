import assert from 'node:assert/strict'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type CloudService, storeOf } from './cloud-service.ts'

const ROWS = 300
const COLUMNS = 500

/** Replaces an object again and again while 50 readers read its chunks; `may` are the answers besides 200 and 409 that are right. */
export async function readWhileReplaced(
  service: CloudService,
  location: string,
  put: (bytes: Uint8Array) => Promise<unknown>,
  may: readonly number[] = [],
): Promise<void> {
  const versions = [0x11, 0x22, 0x33, 0x44].map((fill) => {
    const bytes = netcdf3File({ rows: ROWS, columns: COLUMNS })
    return bytes.fill(fill, bytes.length - ROWS * COLUMNS * 4)
  })
  const write = (round: number) => put(versions[round % versions.length] ?? new Uint8Array(0))
  await write(0)
  const url = storeOf(location)
  const rows = await rowsOfChunk(service, url)
  /** What each tag stood for. */
  const named = new Map<string, number>()
  const counts = new Map<number, number>()
  const failures: string[] = []
  let isOver = false
  async function readOnce(number: number): Promise<void> {
    if (number % 5 === 0) await service.get(`${url}zarr.json`)
    const at = number % Math.ceil(ROWS / rows)
    const { status, bytes, etag } = await service.get(`${url}temperature/c/${at}/0`, false)
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (![200, 409, ...may].includes(status)) failures.push(`${status}: ${bytes.toString().slice(0, 300)}`)
    if (status !== 200) return
    // The last chunk is filled up.
    const values = new Set(bytes.subarray(0, Math.min(bytes.length, (ROWS - at * rows) * COLUMNS * 4)))
    const [value = 0] = values
    if (values.size !== 1) failures.push(`${etag} is of ${values.size} versions`)
    if ((named.get(etag) ?? value) !== value) failures.push(`${etag} names two versions`)
    named.set(etag, value)
  }
  const readers = Array.from({ length: 50 }, async (_, number) => {
    for (let turn = number; !isOver; turn += 7) await readOnce(turn)
  })
  try {
    // As long as it takes on a busy machine.
    for (let round = 1; round <= 12 || ((counts.get(200) ?? 0) < 200 && round < 60); round++) {
      await write(round)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  } finally {
    isOver = true
    await Promise.all(readers)
  }
  assert.deepEqual(failures, [])
  console.log(`0 chunks mixed; ${[...counts].map(([status, count]) => `${count} x ${status}`).join(', ')}`)
  assert.ok((counts.get(200) ?? 0) > 100 && (counts.get(409) ?? 0) > 0 && new Set(named.values()).size >= 3)
}

async function rowsOfChunk(service: CloudService, url: string): Promise<number> {
  const document = JSON.parse((await service.get(`${url}zarr.json`)).bytes.toString()) as {
    consolidated_metadata: { metadata: Record<string, { chunk_grid: { configuration: { chunk_shape: number[] } } }> }
  }
  const { temperature } = document.consolidated_metadata.metadata
  return temperature?.chunk_grid.configuration.chunk_shape[0] ?? 1
}
