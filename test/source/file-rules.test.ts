import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openSources } from '../../src/source/open.ts'
import type { SourceSettings } from '../../src/source/settings.ts'
import { failure, patterned, QUICK } from './world.ts'

const urlOf = (path: string) => pathToFileURL(path).href

interface Tree {
  readonly root: string
  readonly open: (path: string, settings: Partial<SourceSettings>) => Promise<unknown>
  readonly list: (path: string, settings: Partial<SourceSettings>) => Promise<unknown>
  readonly read: (path: string, settings: Partial<SourceSettings>) => Promise<unknown>
}

/** A root with a folder that rules name, one beside it, and links between them. */
async function openTree(t: TestContext): Promise<Tree> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vz-rules-')))
  t.after(() => rm(folder, { recursive: true }))
  const root = join(folder, 'root')
  for (const name of ['secret/deep', 'public', 'data']) await mkdir(join(root, name), { recursive: true })
  await mkdir(join(folder, 'outside'))
  for (const name of ['secret/a.nc', 'secret/deep/b.nc', 'public/c.nc', 'data/d.nc'])
    await writeFile(join(root, name), patterned(100))
  await writeFile(join(folder, 'outside/e.nc'), patterned(100))
  const links: Readonly<Record<string, string>> = {
    'public/to-file': join(root, 'secret/a.nc'),
    'public/to-folder': join(root, 'secret'),
    'public/relative': '../secret/deep',
    'public/twice': 'to-folder',
    'public/to-nothing': join(root, 'secret/none'),
    'public/to-public': 'c.nc',
    'data/to-public': '../public',
    'link-to-data': 'data',
    'link-to-secret': 'secret',
    'to-outside': join(folder, 'outside'),
    'to-nothing-outside': join(folder, 'outside/none'),
  }
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name))
  const sources = (settings: Partial<SourceSettings>) => openSources({ ...QUICK, fileRoots: [root], ...settings })
  return {
    root,
    open: async (path, settings) => await sources(settings).open(urlOf(root) + path),
    list: async (path, settings) => await sources(settings).list(urlOf(root) + path),
    read: async (path, settings) =>
      await sources(settings)
        .reference(urlOf(root) + path, urlOf(join(root, 'x.json')))
        .read({ offset: 0, length: 1 }),
  }
}

const LEADS_TO_SECRET = [
  '/secret/a.nc',
  '/secret/deep/b.nc',
  '/public/to-file',
  '/public/to-folder/a.nc',
  '/public/to-folder/deep/b.nc',
  '/public/relative/b.nc',
  '/public/twice/a.nc',
  '/public/../secret/a.nc',
  '/public/%2e%2e/secret/a.nc',
  '/public/../public/to-folder/../to-file',
  '/link-to-secret/a.nc',
  // What is not there is no more told of than what is.
  '/public/to-folder/none',
  '/public/to-folder/none/none',
  '/public/to-nothing',
  '/secret/none',
]

test('GUARD-4: what is denied is denied by whatever name: links to it, through it, and from it', async (t) => {
  const { root, open, list, read } = await openTree(t)
  for (const rule of ['secret', 'secret/', 'link-to-secret', 'link-to-secret/', 'public/twice']) {
    const settings = { deny: [`${urlOf(root)}/${rule}`] }
    for (const path of LEADS_TO_SECRET) {
      await assert.rejects(open(path, settings), failure('source-forbidden'), `${path} where ${rule} is denied`)
      await assert.rejects(read(path, settings), failure('source-forbidden'), `${path} as a reference`)
    }
    for (const path of [
      '/secret/',
      '/secret/deep/',
      '/public/to-folder/',
      '/public/relative',
      '/public/to-folder/none/',
    ])
      await assert.rejects(list(path, settings), failure('source-forbidden'), `the folder ${path}`)
    assert.ok(await open('/public/c.nc', settings))
    assert.ok(await open('/public/to-public', settings))
    assert.ok(await open('/data/d.nc', settings))
  }
})

test('a single file that is denied, and one that is not there yet', async (t) => {
  const { root, open } = await openTree(t)
  const file = { deny: [`${urlOf(root)}/public/to-file`] }
  for (const path of ['/secret/a.nc', '/public/to-file', '/public/to-folder/a.nc', '/link-to-secret/a.nc'])
    await assert.rejects(open(path, file), failure('source-forbidden'), path)
  assert.ok(await open('/secret/deep/b.nc', file))
  const later = { deny: [`${urlOf(root)}/link-to-secret/later/`] }
  await assert.rejects(open('/public/to-folder/later/x.nc', later), failure('source-forbidden'))
  await mkdir(join(root, 'secret/later'))
  await writeFile(join(root, 'secret/later/x.nc'), patterned(10))
  for (const path of ['/secret/later/x.nc', '/public/to-folder/later/x.nc'])
    await assert.rejects(open(path, later), failure('source-forbidden'), path)
})

test('where only some files may be read, links lead to no others', async (t) => {
  const { root, open, list } = await openTree(t)
  for (const rule of ['public/', 'public', 'data/to-public/']) {
    const settings = { only: [`${urlOf(root)}/${rule}`] }
    for (const path of [...LEADS_TO_SECRET, '/data/d.nc', '/link-to-data/d.nc', '/none'])
      await assert.rejects(open(path, settings), failure('source-forbidden'), `${path} where only ${rule} is open`)
    await assert.rejects(list('/public/to-folder', settings), failure('source-forbidden'))
    await assert.rejects(list('/', settings), failure('source-forbidden'))
    for (const path of ['/public/c.nc', '/public/to-public', '/data/to-public/c.nc'])
      assert.ok(await open(path, settings), `${path} where only ${rule} is open`)
  }
  for (const only of [['https://data.example.org/'], ['s3://bucket/'], ['file://host/']])
    await assert.rejects(open('/public/c.nc', { only }), failure('source-forbidden'), String(only))
})

test('GUARD-4: of files outside the roots not even their absence is told', async (t) => {
  const { open, list } = await openTree(t)
  for (const path of ['/to-outside/e.nc', '/to-outside/none', '/to-nothing-outside'])
    await assert.rejects(open(path, {}), failure('source-forbidden'), path)
  for (const path of ['/to-outside/', '/to-outside/none/'])
    await assert.rejects(list(path, {}), failure('source-forbidden'), path)
})

test('a root that is a link is the folder it leads to', async (t) => {
  const { root } = await openTree(t)
  const sources = openSources({ ...QUICK, fileRoots: [join(root, 'link-to-data')] })
  assert.ok(await sources.open(urlOf(join(root, 'link-to-data/d.nc'))))
  assert.ok(await sources.open(urlOf(join(root, 'data/d.nc'))))
  await assert.rejects(sources.open(urlOf(join(root, 'link-to-data/to-public/c.nc'))), failure('source-forbidden'))
})
