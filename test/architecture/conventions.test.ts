// docs/architecture.md, section 9, as far as a program can check it and Biome and tsc don't.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

const ROOT = new URL('../../', import.meta.url).pathname
const FILES = globSync(['src/**/*.ts', 'routes/**/*.ts'], { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(`${ROOT}${path}`, 'utf8'),
}))

test('a file of the program is kebab-case and has 300 lines at most', () => {
  assert.ok(FILES.length > 400)
  assert.deepEqual(
    FILES.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(basename(path))).map(({ path }) => path),
    [],
  )
  assert.deepEqual(
    FILES.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path),
    [],
  )
})

test('one word for one thing: a bound is MOST_…, and no class has the name of another', () => {
  const bounds = FILES.filter(({ text }) => /^(export )?const (MAX|MAXIMUM|LIMIT)_(?!U\d)/m.test(text))
  assert.deepEqual(
    bounds.map(({ path }) => path),
    [],
  )
  const classes = FILES.flatMap(({ text }) => [...text.matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name))
  assert.deepEqual(
    classes.filter((name, place) => classes.indexOf(name) !== place),
    [],
  )
})
