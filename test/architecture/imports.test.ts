import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { importsOf, violations } from '../../scripts/check-imports.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let copy: string

before(() => {
  copy = mkdtempSync(join(tmpdir(), 'imports-'))
  for (const folder of ['src', 'routes', 'web']) cpSync(join(root, folder), join(copy, folder), { recursive: true })
})
after(() => rmSync(copy, { recursive: true }))

/** The violations that one more file adds to the project. */
function planted(file: string, text: string): string[] {
  const path = join(copy, file)
  const known = new Set(violations(copy))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  try {
    return violations(copy).filter((line) => !known.has(line))
  } finally {
    rmSync(path)
  }
}

test('the project breaks no import rule', () => {
  assert.deepEqual(violations(root), [])
})

const plants: readonly [behaviour: string, file: string, text: string, rule: string][] = [
  [
    'metadata that reads a source',
    'src/zarr/planted.ts',
    "import type { Source } from '../source/source.ts'",
    'zarr-never-reads: src/zarr/planted.ts may not import src/source/source.ts',
  ],
  [
    'a format that uses another format',
    'src/formats/planted/index.ts',
    "import { x } from '../netcdf3/index.ts'",
    'formats-know-no-other-format: src/formats/planted/index.ts may not import src/formats/netcdf3/index.ts',
  ],
  [
    'a library file that reaches up to the server',
    'src/service/planted.ts',
    "import { config } from '../server/config.ts'",
    'service: src/service/planted.ts may not import src/server/config.ts',
  ],
  [
    'a route that parses a format',
    'routes/planted.ts',
    "import {\n  formats,\n} from '../src/formats/registry.ts'",
    'routes-know-only-the-service: routes/planted.ts may not import src/formats/registry.ts',
  ],
  [
    'a page that knows the service from inside',
    'web/src/planted.tsx',
    "import type { Catalog } from '../../src/service/catalog.ts'",
    'web-is-apart: web/src/planted.tsx may not import src/service/catalog.ts',
  ],
  [
    'a package outside its home',
    'src/service/planted.ts',
    "import { request } from 'undici'",
    'package-home: src/service/planted.ts may not import undici',
  ],
  [
    'a package that nobody decided on',
    'src/codecs/planted.ts',
    "export { x } from '@some/package/deep'",
    'package-without-home: src/codecs/planted.ts imports @some/package, which scripts/import-rules.ts gives no home',
  ],
  [
    'a dynamic import',
    'src/views/planted.ts',
    "export const load = () => import('../delivery/plan.ts')",
    'views: src/views/planted.ts may not import src/delivery/plan.ts',
  ],
  [
    'a folder that the table does not know',
    'src/utils/planted.ts',
    "import '../errors.ts'",
    "no-home: src/utils/planted.ts is in a folder that the import table doesn't know",
  ],
  [
    'a file that imports itself',
    'src/model/planted.ts',
    "import './planted.ts'",
    'no-circles: src/model/planted.ts -> src/model/planted.ts',
  ],
]

for (const [behaviour, file, text, expected] of plants) {
  test(`the import check names the rule broken by ${behaviour}`, () => {
    assert.deepEqual(planted(file, `${text}\n`), [expected])
  })
}

test('a format may import its own files and the shared ground', () => {
  const text = [
    "import { malformed } from '../../errors.ts'",
    "import type { Source } from '../../source/source.ts'",
    "import type { Format } from '../format.ts'",
    "import { header } from './header.ts'",
    "import { inflateSync } from 'node:zlib'",
  ].join('\n')
  assert.deepEqual(planted('src/formats/planted/index.ts', text), [])
})

test('a commented import is no import, a type-only one is', () => {
  const text = "// import a from './a.ts'\n/*\nimport b from './b.ts'\n*/\nimport type { C } from './c.ts'\n"
  assert.deepEqual(importsOf('x.ts', text), [{ from: 'x.ts', specifier: './c.ts', typeOnly: true }])
})

test('the command fails on a violation and names it', async () => {
  const file = join(copy, 'src/errors.planted.ts')
  writeFileSync(file, "import './formats/format.ts'\n")
  const run = promisify(execFile)(process.execPath, [join(root, 'scripts/check-imports.ts'), copy])
  await assert.rejects(run, (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 1)
    assert.match(error.stderr, /^no-home: src\/errors\.planted\.ts/m)
    return true
  })
  rmSync(file)
})
