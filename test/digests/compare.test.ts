import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Answer, type Digest, digestOf, optionSets } from './answers.ts'
import { differencesBetween } from './compare.ts'

const root = mkdtempSync(join(tmpdir(), 'vz-digests-'))
after(() => rmSync(root, { recursive: true, force: true }))

function recordOf(name: string, answers: Readonly<Record<string, Answer>>): string {
  const folder = join(root, name)
  mkdirSync(join(folder, 'documents'), { recursive: true })
  const lines = Object.entries(answers).map(([key, answer]): Digest => {
    const digest = { source: 'a.tif', options: '', key, ...digestOf(answer) }
    if (answer.type.includes('json')) writeFileSync(join(folder, 'documents', digest.sha256), answer.body)
    return digest
  })
  writeFileSync(join(folder, 'digests.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return folder
}

const document = (value: unknown): Answer => ({
  status: 200,
  type: 'application/json',
  body: Buffer.from(JSON.stringify(value)),
})
const chunk = (...bytes: number[]): Answer => ({
  status: 200,
  type: 'application/octet-stream',
  body: Buffer.from(bytes),
})
const problem = (status: number, detail: string): Answer => ({
  status,
  type: 'application/problem+json',
  body: Buffer.from(JSON.stringify({ type: 'source-changed', detail })),
})

test('records of the same answers do not differ, whatever the words of a problem', () => {
  const one = recordOf('same-1', {
    'zarr.json': document({ a: 1 }),
    'c/0': chunk(1, 2),
    'c/1': problem(409, 'old words'),
  })
  const two = recordOf('same-2', {
    'zarr.json': document({ a: 1 }),
    'c/0': chunk(1, 2),
    'c/1': problem(409, 'new words'),
  })
  assert.deepEqual(differencesBetween(one, two), [])
})

test('a document that differs is reported with the path of its first different member', () => {
  const one = recordOf('document-1', { 'zarr.json': document({ a: { b: [1, 2] } }) })
  const two = recordOf('document-2', { 'zarr.json': document({ a: { b: [1, 3] } }) })
  assert.deepEqual(differencesBetween(one, two), [{ what: 'a.tif (no options) zarr.json', detail: '$.a.b.1: 2 -> 3' }])
})

test('other chunk bytes, another status, and answers that one record lacks are reported', () => {
  const one = recordOf('chunks-1', { 'c/0': chunk(1), 'c/1': chunk(1), 'c/2': chunk(1) })
  const two = recordOf('chunks-2', { 'c/0': chunk(2), 'c/1': problem(502, ''), 'c/3': chunk(1) })
  assert.deepEqual(
    differencesBetween(one, two).map(({ what, detail }) => `${what}: ${detail}`),
    [
      'a.tif (no options) c/0: 1 -> 1 bytes, other content',
      'a.tif (no options) c/1: status 200 -> 502',
      'a.tif (no options) c/2: is no longer asked for: a document above it changed',
      'a.tif (no options) c/3: was not asked for before',
    ],
  )
})

test('the option sets of a store cut and re-chunk its longest dimension', () => {
  const array = { zarr_format: 3, node_type: 'array', shape: [4, 9], dimension_names: ['y', 'x'] }
  const group = { zarr_format: 3, node_type: 'group', consolidated_metadata: { metadata: { v: array } } }
  const sets = optionSets(group)
  assert.ok(sets.includes(';select=x:1..8'), sets.join(' '))
  assert.ok(sets.includes(';chunks=x:3'), sets.join(' '))
})
