import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openSources } from '../../src/source/open.ts'
import type { Sources } from '../../src/source/source.ts'
import { drain, failure, patterned, QUICK } from './world.ts'

interface Place {
  readonly sources: Sources
  readonly root: string
  readonly outside: string
  url(path: string): string
}

async function openPlace(t: TestContext): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vz-')))
  t.after(() => rm(folder, { recursive: true }))
  const root = join(folder, 'root')
  const outside = join(folder, 'rootless')
  await mkdir(join(root, 'sub'), { recursive: true })
  await mkdir(outside)
  await writeFile(join(outside, 'secret'), 'secret')
  await writeFile(join(root, 'a.bin'), patterned(1_000))
  const sources = openSources({ ...QUICK, fileRoots: [root] })
  return { sources, root, outside, url: (path) => pathToFileURL(join(root, path)).href }
}

test('GUARD-4: without a root no file may be read', async () => {
  await assert.rejects(openSources(QUICK).open('file:///etc/hostname'), failure('source-forbidden'))
})

test('GUARD-4: only regular files really below a root may be read', async (t) => {
  const { sources, root, outside, url } = await openPlace(t)
  await symlink(join(outside, 'secret'), join(root, 'link'))
  await symlink(outside, join(root, 'linked'))
  await symlink(join(root, 'a.bin'), join(root, 'inner-link'))
  await symlink(join(root, 'loop'), join(root, 'loop'))
  execFileSync('mkfifo', [join(root, 'fifo')])
  assert.equal((await sources.open(url('a.bin'))).size, 1_000)
  assert.equal((await sources.open(url('inner-link'))).size, 1_000)
  const forbidden = [
    url('link'),
    url('linked/secret'),
    pathToFileURL(join(outside, 'secret')).href,
    pathToFileURL(join(outside, 'no-such-file')).href,
    'file:///etc/passwd',
    'file:///dev/zero',
    'file:///proc/self/environ',
    `${url('sub')}/..%2f..%2frootless/secret`,
    `${url('sub')}/../../rootless/secret`,
    `${url('a.bin')}%00`,
    url('a.bin').replace('file://', 'file://host'),
    `${url('a.bin')}?x`,
  ]
  for (const bait of forbidden) await assert.rejects(sources.open(bait), failure('source-forbidden'), bait)
  for (const path of ['sub', 'fifo', 'none', 'a.bin/x', 'a'.repeat(300)]) {
    await assert.rejects(sources.open(url(path)), failure('source-not-found'), path)
  }
  await assert.rejects(sources.open(url('loop')), failure('source-denied'))
})

test('a file that is replaced, written to or cut is source-changed', async (t) => {
  const { sources, root, url } = await openPlace(t)
  const path = join(root, 'a.bin')
  const whole = { offset: 0, length: 1_000 }
  for (const change of [
    () => writeFile(path, patterned(999)),
    () => writeFile(path, patterned(1_000, 2)),
    async () => {
      await writeFile(`${path}.new`, patterned(1_000, 3))
      await utimes(`${path}.new`, 0, 0)
      await rename(`${path}.new`, path)
    },
  ]) {
    const source = await sources.open(url('a.bin'))
    assert.equal(await sources.isFresh(source), true)
    await change()
    assert.equal(await sources.isFresh(source), false)
    await assert.rejects(
      source.read(whole).then(() => undefined),
      /source-changed|replaced|outside|expected/,
    )
    await assert.rejects(source.read({ offset: 0, length: 10 }), failure('source-changed'))
    await assert.rejects(source.feed({ offset: 0, length: 10 }), failure('source-changed'))
  }
})

test('a file that was deleted is source-not-found and not fresh', async (t) => {
  const { sources, root, url } = await openPlace(t)
  const source = await sources.open(url('a.bin'))
  await rm(join(root, 'a.bin'))
  await assert.rejects(source.read({ offset: 0, length: 10 }), failure('source-not-found'))
  assert.equal(await sources.isFresh(source), false)
})

test('a folder is listed by its names', async (t) => {
  const { sources, root, url } = await openPlace(t)
  await writeFile(join(root, '.zgroup'), '{}')
  assert.deepEqual(await sources.list(url('')), ['.zgroup', 'a.bin', 'sub/'])
  assert.deepEqual(await sources.list(url('sub')), [])
  assert.equal(await sources.list(url('none')), undefined)
  await assert.rejects(sources.list('file:///etc'), failure('source-forbidden'))
})

test('a file as an object; undefined when there is none', async (t) => {
  const { sources, url } = await openPlace(t)
  const object = await sources.object(url('a.bin'), { part: { kind: 'last', length: 10 } })
  assert.ok(object)
  assert.equal(object.size, 1_000)
  assert.deepEqual(await object.read({ offset: 990, length: 10 }), patterned(1_000).slice(990))
  assert.deepEqual(await drain(await object.feed({ offset: 0, length: 1_000 })), patterned(1_000))
  assert.equal(await sources.object(url('none')), undefined)
  assert.equal(await sources.object(url('sub')), undefined)
  await assert.rejects(sources.object('file:///etc/passwd'), failure('source-forbidden'))
})
