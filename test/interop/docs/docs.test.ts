import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ServerProcess, startServer } from '../server-process.ts'
import { type Block, blocksOf, isRunElsewhere, pages } from './blocks.ts'
import { PageRunner } from './page-runner.ts'

const LANGUAGES = ['python', 'js', 'sh', 'yaml']

describe('what the README and the pages show works as it stands there', () => {
  let server: ServerProcess
  let runner: PageRunner
  before(async () => {
    server = await startServer()
    runner = new PageRunner(server.url.replace(/\/$/, ''))
  })
  after(async () => {
    await server?.stop()
    runner?.close()
  })

  const blocks = pages().flatMap(blocksOf)

  test('each block is run here or by the test that its mark names, or says why it is not', () => {
    assert.ok(blocks.length > 40, `${blocks.length} blocks`)
    for (const block of blocks) {
      const place = `${block.page}:${block.line}`
      if (block.mark === undefined) assert.ok(LANGUAGES.includes(block.language), `${place}: ${block.language}`)
      else assert.ok(isRunElsewhere(block) || /^not run: .{10,}/.test(block.mark), `${place}: ${block.mark}`)
    }
  })

  for (const [page, all] of Map.groupBy(blocks, (block) => block.page)) {
    const run = all.filter(({ mark }) => mark === undefined)
    const of = (language: string) => run.filter((block) => block.language === language)
    if (run.length === 0) continue
    test(page, async () => {
      if (of('python').length > 0) await runner.python(of('python'))
      for (const block of of('js')) await at(block, runner.javascript(block))
      for (const block of of('sh')) await at(block, runner.shell(block))
      for (const block of of('yaml')) await at(block, runner.yaml(block))
    })
  }
})

/** A failure says which block it is of. */
async function at({ page, line }: Block, running: Promise<void>): Promise<void> {
  await running.catch((error: Error) => assert.fail(`${page}:${line}: ${error.message}`))
}
