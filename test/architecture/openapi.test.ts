import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { openapiYaml } from '../../scripts/openapi.ts'
import { OPTION_NAMES } from '../../src/service/store-options.ts'
import { type RunningApp, runApp } from '../helpers/app.ts'

const text = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, object>>
}

const document = parse(text) as {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}
const METHODS = ['get', 'head', 'options']
const operations = Object.values(document.paths).flatMap((item) =>
  Object.entries(item).flatMap(([method, operation]) => (METHODS.includes(method) ? [operation] : [])),
)

let app: RunningApp
before(async () => {
  app = await runApp({})
})
after(async () => await app.close())

test('openapi.yaml says what the routes promise; npm run openapi writes it', async () => {
  assert.equal(text, await openapiYaml())
})

test('every operation has an id of its own, words and a tag that is explained', () => {
  assert.ok(operations.length > 50)
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const { operationId, summary, tags, responses } of operations) {
    assert.ok(summary.length > 8, operationId)
    assert.deepEqual(tags.length === 1 && document.tags.some(({ name }) => name === tags[0]), true, operationId)
    assert.ok(Object.keys(responses).length > 0, operationId)
  }
})

test('every path answers GET, HEAD and OPTIONS', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    assert.deepEqual(
      METHODS.filter((method) => item[method] === undefined),
      [],
      path,
    )
  }
})

test('every option of a store is a parameter, and every reference leads somewhere', () => {
  const { parameters = {} } = document.components
  assert.deepEqual(
    OPTION_NAMES.filter((name) => parameters[name] === undefined),
    [],
  )
  const references = [...text.matchAll(/\$ref: "#\/components\/(\w+)\/(\w+)"/g)]
  assert.ok(references.length > 100)
  for (const [, kind = '', name = ''] of references) assert.ok(document.components[kind]?.[name], `${kind}/${name}`)
})

test('a chunk is never answered 403, which clients read as fill', () => {
  const chunk = document.paths['/zarr/{store}/{path}/c/{chunk}']?.['get']?.responses ?? {}
  assert.equal(chunk['403'], undefined)
  assert.ok(chunk['424'] && chunk['404'])
})

test('/openapi.json is the file, and /docs shows what GET reads, the stores among it', async () => {
  assert.deepEqual((await app.http.inject('/openapi.json')).json(), document)
  assert.equal((await app.http.inject('/docs/')).statusCode, 200)
  const { paths } = (await app.http.inject('/docs/json')).json() as { paths: typeof document.paths }
  assert.deepEqual(Object.keys(paths), Object.keys(document.paths))
  for (const [path, item] of Object.entries(paths)) assert.deepEqual(item['get'], document.paths[path]?.['get'], path)
})
