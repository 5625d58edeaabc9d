import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { configurationPage } from '../../scripts/configuration.ts'
import { formats } from '../../src/formats/registry.ts'
import { SETTING_FLAGS } from '../../src/server/config.ts'
import { OPTION_NAMES } from '../../src/service/store-options.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

test('every link between the documents leads somewhere', () => {
  const links = pages.flatMap((page) =>
    [...text(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => join(dirname(page), link)),
  )
  assert.ok(links.length > 5)
  assert.deepEqual(
    links.filter((link) => !existsSync(join(root, link))),
    [],
  )
})

test('the configuration page is the one that is written from the settings', () => {
  assert.equal(text('docs/configuration.md'), configurationPage(), 'npm run configuration')
  assert.match(text('README.md'), /\(docs\/configuration\.md\)/)
})

test('the options page names every option of a store', () => {
  const page = text('docs/options.md')
  assert.deepEqual(
    OPTION_NAMES.filter((name) => !page.includes(`| \`${name}\` |`)),
    [],
  )
})

test('every file and folder in the map of the house exists, and every folder of src is in it', () => {
  const [map = ''] = /```\nbin\/[\s\S]*?```/.exec(text('docs/architecture.md')) ?? []
  for (const folder of readdirSync(join(root, 'src'))) assert.ok(map.includes(folder), `src/${folder}`)
  const top = [...map.matchAll(/^([a-z]+)\//gm)].map(([, folder = '']) => folder)
  assert.ok(top.length > 5)
  for (const folder of top) assert.ok(existsSync(join(root, folder)), folder)
})

test('the top level holds no data: what a test writes belongs to a folder of its own outside', (t) => {
  if (!existsSync(join(root, '.git'))) return t.skip('not a git checkout')
  const tracked = execFileSync('git', ['ls-files', '--', ':(glob)*'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
  assert.ok(tracked.includes('package.json'))
  assert.deepEqual(
    tracked.filter((name) => !/(\.(json|ya?ml|md)|^Dockerfile|^LICENSE|^\.[a-z-]+)$/.test(name)),
    [],
  )
})

/** In examples: the catalog itself, and how the service is run. */
const NO_DATA = ['catalog.yaml', 'fleet', 'systemd']

test('every format that is built has an example and a page', () => {
  const catalog = parse(text('examples/catalog.yaml')) as {
    datasets: { id: string; url: string; description: string }[]
  }
  for (const { name } of formats) assert.ok(existsSync(join(root, 'docs/formats', `${name}.md`)), name)
  const listed = catalog.datasets.map(({ url }) => url.replace(/\/$/, '')).toSorted()
  const isDataOfSidecar = (name: string) =>
    !listed.includes(name) && ['.dmrpp', '.json'].some((suffix) => listed.includes(name + suffix))
  assert.deepEqual(
    listed,
    readdirSync(join(root, 'examples'))
      .filter((name) => !NO_DATA.includes(name) && !isDataOfSidecar(name))
      .toSorted(),
  )
})

test('no example file is larger than 200 KB', () => {
  const files = globSync('examples/**/*', { cwd: root }).map((file) => statSync(join(root, file)))
  assert.ok(files.length > 6)
  assert.deepEqual(
    files.filter((file) => file.isFile() && file.size > 200_000),
    [],
  )
})

test('the image is built from files that exist and that .dockerignore lets through', () => {
  const allowed = text('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const copied = [...text('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  )
  assert.ok(copied.length > 5)
  for (const file of copied) {
    assert.ok(existsSync(join(root, file)), file)
    assert.ok(
      allowed.some((entry) => file === entry || file.startsWith(`${entry}/`)),
      `${file} is ignored`,
    )
  }
})

test('the compose file sets only settings that exist', () => {
  const { services } = parse(text('docker-compose.yml')) as {
    services: Record<string, { environment?: Record<string, string> }>
  }
  const names = Object.values(services).flatMap(({ environment }) => Object.keys(environment ?? {}))
  const known = SETTING_FLAGS.map((flag) => `VZ_${flag.toUpperCase().replaceAll('-', '_')}`)
  assert.deepEqual(
    names.filter((name) => !known.includes(name)),
    [],
  )
})

test('security pages claim what a test shows, and each test that they name is there', () => {
  const page = text('docs/security.md')
  const [, promises = ''] = /## What is promised[^\n]*\n([\s\S]*?)\n## /.exec(page) ?? []
  const rows = promises.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'))
  assert.ok(rows.length > 1 + 20)
  const [, ...claims] = rows
  for (const row of claims) assert.match(row, /`test\/[\w/-]+\.test\.ts`/, row)
  const defends = /## What the service defends against\n([\s\S]*?)\n## /.exec(text('SECURITY.md'))?.[1] ?? ''
  for (const claim of defends.split('\n- ').slice(1)) assert.match(claim, /`test\/[\w/-]+\.test\.ts`/, claim)
  for (const [named = '', file = '', title = ''] of `${promises}${defends}`.matchAll(
    /`(test\/[^`]+)`(?: "([^"]+)")?/g,
  )) {
    assert.ok(existsSync(join(root, file)), named)
    assert.ok(text(file).includes(title), named)
  }
})
