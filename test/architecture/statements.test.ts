import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { IMPORT_RULES, PACKAGE_RULES } from '../../scripts/import-rules.ts'

// What docs/architecture.md and the other pages say of the house, where a machine can tell.
const root = fileURLToPath(new URL('../..', import.meta.url))
const text = (file: string) => readFileSync(join(root, file), 'utf8')
const page = text('docs/architecture.md')
const sources = globSync('{src,routes}/**/*.ts', { cwd: root }).toSorted()
const library = sources.filter((file) => /^src\/(?!server\/)/.test(file))

/** The entries of the map: paths by indentation; a line may name several folders. */
function mapEntries(): string[] {
  const [map = ''] = /```\nbin\/[\s\S]*?```/.exec(page) ?? []
  const parents: string[] = []
  return map.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] =
      /^( {0,4})((?:[\w.-]+(?:\/|\.ts) {1,2})*[\w.-]+(?:\/|\.ts)) {2,}\S/.exec(line) ?? []
    const found = names.split(/ +/).filter((name) => name !== '')
    if (found.length > 0) parents.splice(indent.length / 2, 3, found[0] ?? '')
    return found.map((name) => parents.slice(0, indent.length / 2).join('') + name)
  })
}

test('the map of the house names what is there, and every folder down to the second below src', () => {
  const entries = mapEntries()
  assert.ok(entries.length > 45, `${entries.length} entries`)
  assert.deepEqual(entries, [...new Set(entries)])
  assert.deepEqual(
    entries.filter((entry) => !existsSync(join(root, entry))),
    [],
  )
  const folders = globSync('{src/*/,src/{codecs,formats,source,service,delivery}/*/}', { cwd: root })
  assert.deepEqual(
    folders.filter((folder) => !entries.includes(`${folder.replace(/\/$/, '')}/`)),
    [],
  )
  const files = readdirSync(join(root, 'src')).filter((name) => name.endsWith('.ts'))
  assert.deepEqual(
    files.filter((name) => !entries.includes(`src/${name}`)),
    [],
  )
})

test('the import table says what the import check enforces', () => {
  const rows = [...page.matchAll(/^\| `([\w/-]+)`[^|]*\| ([^|]*?) ?\|$/gm)].map(([, folder = '', names = '']) => ({
    folder,
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  }))
  const table = rows.slice(
    rows.findIndex(({ folder }) => folder === 'errors'),
    rows.findIndex(({ folder }) => folder === 'routes') + 1,
  )
  const ground = ['errors', 'turns', 'in-parallel', 'lazily', 'bytes', 'json']
  const labels = new Set(table.flatMap(({ folder, names }) => [folder, ...names]))
  assert.ok(table.length > 15)
  for (const { folder, names } of table) {
    const own = ground.includes(folder) ? [] : ground
    const others = [...labels].filter((label) => !isWithin(label, folder))
    const said = others.filter((label) => [...own, ...names].some((name) => isWithin(label, name)))
    const enforced = others.filter((label) => mayImport(sampleIn(folder), sampleIn(label)))
    assert.deepEqual(said, enforced, folder)
  }
})

function isWithin(label: string, folder: string): boolean {
  return label === folder || label.startsWith(`${folder}/`)
}

/** A file that a label of the table stands for. */
function sampleIn(label: string): string {
  if (label === 'routes') return 'routes/sample.ts'
  if (label === 'errors' || label === 'turns' || label === 'in-parallel' || label === 'lazily') return `src/${label}.ts`
  return label.endsWith('.ts') ? `src/${label}` : `src/${label}/sample.ts`
}

function mayImport(from: string, to: string): boolean {
  const rule = IMPORT_RULES.find((each) => each.from.test(from))
  const own = rule?.from.exec(from)?.[1] ?? ''
  return rule?.to.some((pattern) => new RegExp(pattern.source.replace('<own>', own)).test(to)) === true
}

test('every file and folder that a page names is there', (t) => {
  if (!existsSync(join(root, '.git'))) return t.skip('not a git checkout')
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter((name) => name !== 'CHANGELOG.md')
  const named = pages.flatMap((name) =>
    [
      ...text(name).matchAll(
        /`(?!\.\.|xarray\/|ipaddr\.js)([\w./*-]*\w\.(?:ts|py|js|cjs|sh)|(?:src|routes|test|scripts|bench|examples|deploy|docs)\/[\w./*-]+)`/g,
      ),
    ].map(([, path = '']) => ({ name, path })),
  )
  assert.ok(named.length > 100)
  const isThere = (path: string) => {
    const pattern = path.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*')
    return tracked.some((file) => new RegExp(`(^|/)${pattern}($|/)`).test(file))
  }
  const absent = named.filter(({ path }) => path !== 'kebab-case.ts' && !isThere(path))
  assert.deepEqual(
    absent.map(({ name, path }) => `${name}: ${path}`),
    [],
  )
})

test('the ways of a chunk in the table are those of the code', () => {
  const [code = ''] = /export type Way =[\s\S]*?\n\n/.exec(text('src/delivery/delivery.ts')) ?? []
  const ways = [...code.matchAll(/kind: '(\w+)'/g)].map(([, way]) => way)
  const [table = ''] = /\| way \|[\s\S]*?\n\n/.exec(page) ?? []
  assert.deepEqual(
    [...table.matchAll(/^\| (?!way)(\w+) \|/gm)].map(([, way]) => way),
    ways,
  )
})

test('each decision has a number of its own', () => {
  const numbers = readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4))
  assert.deepEqual(numbers, [...new Set(numbers)])
})

test('the pages of decisions name every package that is used at run time', () => {
  const { dependencies } = JSON.parse(text('package.json')) as { dependencies: Record<string, string> }
  const decisions = text('docs/decisions/0005-dependencies.md')
  const homes = PACKAGE_RULES.map(({ packageName }) => packageName)
  for (const name of Object.keys(dependencies)) {
    assert.ok(decisions.includes(`\`${name}\``), name)
    assert.ok(homes.includes(name), `${name} has no home`)
  }
})

test('files are named in kebab-case', () => {
  const odd = sources.filter((file) => !/^(?:[a-z0-9-]+\/)+[a-z0-9]+(?:-[a-z0-9]+)*(?:\.d)?\.ts$/.test(file))
  assert.deepEqual(odd, [])
})

const FORBIDDEN: readonly (readonly [what: string, files: readonly string[], pattern: RegExp])[] = [
  [
    'only what is public re-exports',
    sources.filter((file) => !['src/index.ts', 'src/browser/index.ts', 'src/library/public.ts'].includes(file)),
    /^export (?:type )?[{*][^;]*? from /m,
  ],
  [
    'the environment is read in server/config.ts alone',
    sources.filter((file) => file !== 'src/server/config.ts'),
    /process\.env/,
  ],
  ['no variable of a module changes', sources, /^(?:export )?let /m],
  ['the library does not log', library, /console\.|process\.std(?:out|err)/],
]
for (const [what, files, pattern] of FORBIDDEN) {
  test(`conventions: ${what}`, () => {
    assert.deepEqual(
      files.filter((file) => pattern.test(text(file))),
      [],
    )
  })
}

test('no class has the name of another', () => {
  const names = sources.flatMap((file) =>
    [...text(file).matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name),
  )
  assert.deepEqual(names, [...new Set(names)])
})

test('the folders of test are those of src and routes, and the few that look at the whole', () => {
  const whole = [
    'architecture',
    'blackbox',
    'browser',
    'budget',
    'compare',
    'corpus',
    'digests',
    'every-source',
    'faults',
    'fuzz',
    'fixtures',
    'fleet',
    'generators',
    'helpers',
    'hostile',
    'identity',
    'interop',
    'soak',
    'together',
    'vectors',
  ]
  const folders = globSync('test/**/', { cwd: root })
    .map((path) => path.replace(/^test\/|\/$/g, ''))
    .filter((folder) => folder !== '' && folder !== 'test' && !/(^|\/)(vectors|fixtures)(\/|$)/.test(folder))
  const homeless = folders.filter(
    (folder) =>
      !whole.includes(folder.split('/', 1)[0] ?? '') &&
      !existsSync(join(root, 'src', folder)) &&
      !existsSync(join(root, folder)),
  )
  assert.ok(folders.length > 20)
  assert.deepEqual(homeless, [])
})
