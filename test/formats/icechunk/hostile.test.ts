import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type ErrorCode, isVirtualZarrError } from '../../../src/errors.ts'
import { refsOfManifest } from '../../../src/formats/icechunk/chunk-refs.ts'
import { containerPrefixes } from '../../../src/formats/icechunk/containers.ts'
import { FlatBuffer } from '../../../src/formats/icechunk/flat-buffer.ts'
import type { FileType } from '../../../src/formats/icechunk/mark.ts'
import { withContent } from '../../../src/formats/icechunk/metadata-file.ts'
import { parseRepoInfo } from '../../../src/formats/icechunk/repo-info.ts'
import { nodesOfSnapshot } from '../../../src/formats/icechunk/snapshot.ts'
import { randoms } from '../../helpers/randoms.ts'
import { FIXTURES } from './golden.ts'

const HEADER_BYTES = 39
const PLACE = { url: 'https://data.example/' }
const LIMITS = { mostBytes: 2 ** 26, room: <T>(_bytes: number, work: () => Promise<T>) => work() }

const fixture = (path: string) => new Uint8Array(readFileSync(new URL(`format-2/${path}`, FIXTURES)))
const files = (folder: string) =>
  readdirSync(new URL(`format-2/${folder}/`, FIXTURES)).map((name) => fixture(`${folder}/${name}`))
const longest = (of: readonly Uint8Array[]) =>
  of.toSorted((one, other) => other.length - one.length)[0] ?? new Uint8Array()

/** The files that are parsed, each by what reads it to its end. */
const READERS: Readonly<Record<FileType, { file: Uint8Array; read(content: FlatBuffer): unknown }>> = {
  snapshot: { file: longest(files('snapshots')), read: (content) => nodesOfSnapshot(content, PLACE) },
  manifest: { file: longest(files('manifests')), read: (content) => refsOfManifest(content, anyGrid(), PLACE) },
  'repo info': {
    file: fixture('repo'),
    read: (content) => containerPrefixes(parseRepoInfo(content, PLACE).config),
  },
}

/** A grid of one axis for every array that a manifest may be of. */
function anyGrid(): ReadonlyMap<string, readonly number[]> {
  return new (class extends Map<string, readonly number[]> {
    override get() {
      return [40]
    }
  })()
}

const contentOf = (file: Uint8Array) => new Uint8Array(zstdDecompressSync(file.subarray(HEADER_BYTES)))

async function outcome(work: () => unknown): Promise<ErrorCode | 'read'> {
  try {
    await work()
    return 'read'
  } catch (error) {
    assert.ok(isVirtualZarrError(error), error instanceof Error ? error.stack : String(error))
    return error.code
  }
}

for (const type of ['snapshot', 'manifest', 'repo info'] as const) {
  const { file, read } = READERS[type]
  const content = contentOf(file)

  test(`a ${type} file that is whole is read`, async () => {
    assert.equal(await outcome(() => withContent(file, type, LIMITS, PLACE, read)), 'read')
  })

  test(`a ${type} file that is cut off anywhere is an error with a place`, async () => {
    for (let length = 0; length < file.length; length += 1 + (length >> 6)) {
      const found = await outcome(() => withContent(file.subarray(0, length), type, LIMITS, PLACE, read))
      assert.ok(found === 'malformed-source', `${length} bytes: ${found}`)
    }
    for (let length = 0; length < content.length; length += 1 + (length >> 5)) {
      const found = await outcome(() => read(new FlatBuffer(content.subarray(0, length), PLACE)))
      assert.ok(found === 'malformed-source' || found === 'read', `${length} bytes of content: ${found}`)
    }
  })

  test(`a ${type} with any damage is read or refused, and never anything else`, async () => {
    const numbers = randoms(7)
    const seen = new Set<string>()
    for (let round = 0; round < 300; round++) {
      const damaged = content.slice()
      for (let change = 0; change < 1 + (round % 4); change++) {
        const at = numbers.next().value % damaged.length
        damaged[at] = [0, 1, 0x7f, 0x80, 0xff, damaged[at - 4] ?? 3][numbers.next().value % 6] ?? 0
      }
      seen.add(await outcome(() => read(new FlatBuffer(damaged, PLACE))))
    }
    assert.ok(seen.has('malformed-source') && seen.has('read'), [...seen].join())
  })

  test(`the header of a ${type} file is believed in nothing`, async () => {
    const changed = (at: number, value: number) => {
      const copy = file.slice()
      copy[at] = value
      return outcome(() => withContent(copy, type, LIMITS, PLACE, read))
    }
    assert.equal(await changed(0, 0x20), 'malformed-source')
    assert.equal(await changed(36, 0), 'unsupported-feature')
    assert.equal(await changed(36, 3), 'unsupported-feature')
    assert.equal(await changed(37, 5), 'malformed-source')
    assert.equal(await changed(38, 2), 'unsupported-feature')
    // Compressed content that is said not to be.
    assert.equal(await changed(38, 0), 'malformed-source')
  })

  test(`a ${type} file that inflates too much is refused before it is inflated`, async () => {
    const bomb = (length: number) =>
      Buffer.concat([file.subarray(0, HEADER_BYTES), zstdCompressSync(Buffer.alloc(length))])
    const before = process.memoryUsage.rss()
    assert.equal(await outcome(() => withContent(bomb(2 ** 27), type, LIMITS, PLACE, read)), 'limit-exceeded')
    // Within the limit, but a thousandfold.
    assert.equal(await outcome(() => withContent(bomb(2 ** 25), type, LIMITS, PLACE, read)), 'limit-exceeded')
    assert.ok(process.memoryUsage.rss() - before < 2 ** 28)
  })
}
