import { createHash } from 'node:crypto'
import type { VirtualArray, VirtualNode } from '../src/model/virtual-store.ts'
import { openSource } from '../src/service/open-source.ts'
import { Openings } from '../src/service/openings.ts'
import { parseStoreOptions } from '../src/service/store-options.ts'
import { openSources } from '../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../src/source/settings.ts'

/** One task of this child process. A first one on another file loads the code, so that neither side of a comparison pays for that. */
export interface IndexTask {
  readonly url: string
  /** Arrays whose whole index is read; all of them where it is empty. */
  readonly arrays: readonly string[]
  /** Whether the places of all chunks are hashed. */
  readonly hashed: boolean
}

export interface IndexResult {
  readonly milliseconds: number
  readonly chunks: number
  readonly bytesPerReference: number
  readonly hash: string | undefined
}

const LIMITS = { wholeBytes: 2 ** 26, bytes: 2 ** 28, requests: 20_000, milliseconds: 60_000 }

async function run({ url, arrays, hashed }: IndexTask): Promise<IndexResult> {
  const sources = openSources({ ...DEFAULT_SOURCE_SETTINGS, allow: [new URL(url).origin] })
  const open = async (source: string) =>
    openSource(source, parseStoreOptions(new Map()), { sources, limits: LIMITS, openings: new Openings() }).then(
      ({ root }) => root,
    )
  const before = memoryInUse()
  const start = performance.now()
  const root = await open(url)
  const chosen = arraysOf(root).filter(({ path }) => arrays.length === 0 || arrays.includes(path))
  if (chosen.length === 0) throw new Error(`${url} has no array ${arrays.join(', ')}`)
  await readIndexes(chosen)
  const milliseconds = performance.now() - start
  const used = memoryInUse() - before
  const chunks = chosen.reduce((sum, { array }) => sum + count(array), 0)
  const hash = hashed ? await hashOf(chosen) : undefined
  await sources.close()
  return { milliseconds, chunks, bytesPerReference: used / chunks, hash }
}

interface NamedArray {
  readonly path: string
  readonly array: VirtualArray
}

function arraysOf(node: VirtualNode, path = ''): NamedArray[] {
  if (node.kind === 'array') return [{ path, array: node }]
  return [...node.members].flatMap(([name, member]) =>
    member.kind === 'skipped' ? [] : arraysOf(member, path === '' ? name : `${path}/${name}`),
  )
}

async function readIndexes(arrays: readonly NamedArray[]): Promise<void> {
  await Promise.all(arrays.map(({ array }) => array.chunks.isComplete?.()))
}

function count({ chunks }: VirtualArray): number {
  return chunks.gridShape.reduce((product, length) => product * length, 1)
}

function memoryInUse(): number {
  for (let round = 0; round < 4; round++) globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Over offset and length of every chunk in C order, as 64 bit floats; `peers/places.py` makes the same with h5py. */
async function hashOf(arrays: readonly NamedArray[]): Promise<string> {
  const hash = createHash('sha256')
  for (const { array } of arrays) {
    const { gridShape } = array.chunks
    const coords = gridShape.map(() => 0)
    const places = new Float64Array(2 * count(array))
    for (let position = 0; position < places.length / 2; position++) {
      for (let axis = gridShape.length - 1, rest = position; axis >= 0; axis--) {
        coords[axis] = rest % (gridShape[axis] ?? 1)
        rest = Math.floor(rest / (gridShape[axis] ?? 1))
      }
      const ref = array.chunks.at(coords)
      const place = ref instanceof Promise ? await ref : ref
      places.set(place.kind === 'range' ? [place.offset, place.length] : [-1, 0], 2 * position)
    }
    hash.update(new Uint8Array(places.buffer))
  }
  return hash.digest('hex')
}

process.on('message', (task: IndexTask) => {
  run(task).then((result) => process.send?.(result))
})
process.send?.({ url: '' })
