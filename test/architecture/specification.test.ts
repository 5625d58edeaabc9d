import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const pages = globSync('docs/specification/*.md', { cwd: root }).map(read)
const defined = new Set(
  pages.flatMap((page) => [...page.matchAll(/\*\*([A-Z0-9]+(?:-[A-Z0-9]+)*-\d+)\*\*/g)].map(([, id = '']) => id)),
)
/** The words before the numbers, such as `FV` and `FV-TIFF`. */
const families = new Set([...defined].map((id) => id.replace(/-\d+$/, '')))
const RULE = new RegExp(
  `(?<![\\w-])(?:${[...families].toSorted((a, b) => b.length - a.length).join('|')})-\\d+(?![\\w-])`,
  'g',
)

function citations(pattern: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of globSync(pattern, { cwd: root })) {
    for (const [id] of read(file).matchAll(RULE)) found.set(id, [...(found.get(id) ?? []), file])
  }
  return found
}

test('each rule of the specification is defined once', () => {
  assert.ok(defined.size > 150, `${defined.size} rules`)
  const all = pages.join('\n')
  const repeated = [...defined].filter((id) => all.split(`**${id}**`).length !== 2)
  assert.deepEqual(repeated, [])
})

test('every rule that code, tests and pages cite is defined', () => {
  const cited = [...citations('{src,routes,test,web,scripts,docs}/**/*.{ts,tsx,py,md}')]
  assert.ok(cited.length > 60, `${cited.length} rules are cited`)
  assert.deepEqual(
    cited.filter(([id]) => !defined.has(id)).map(([id, files]) => `${id}: ${files.join(', ')}`),
    [],
  )
})

test('nothing cites the documents that the specification replaced', () => {
  const files = globSync('{src,routes,web}/**/*.{ts,tsx}', { cwd: root })
  assert.deepEqual(
    files.filter((file) => /\b(?:SPEC|RELIABILITY|REQUIREMENTS)\b/.test(read(file))),
    [],
  )
})
