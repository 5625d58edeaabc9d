import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const ROOT = new URL('../../', import.meta.url)
const BLOCKS = [...readFileSync(new URL('README.md', ROOT), 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(
  ([, language = '', code = '']) => ({ language, code }),
)
const MEANT_FOR_READERS = 'http://127.0.0.1:8080/'

describe('what the README shows works as it stands there', () => {
  let server: ServerProcess
  let folder: string
  before(async () => {
    server = await startServer()
    // Below the project's packages, so that they are found.
    const cache = fileURLToPath(new URL('node_modules/.cache/', ROOT))
    mkdirSync(cache, { recursive: true })
    folder = mkdtempSync(join(cache, 'readme-'))
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const codeOf = (language: string) => {
    const blocks = BLOCKS.filter((block) => block.language === language)
    assert.ok(blocks.length > 0, language)
    return blocks.map(({ code }) => code.replaceAll(MEANT_FOR_READERS, server.url))
  }

  async function run(name: string, code: string, command: string): Promise<string> {
    const file = join(folder, name)
    writeFileSync(file, code)
    return (await promisify(execFile)(command, [file], { cwd: folder })).stdout
  }

  test('in Python', async () => {
    for (const code of codeOf('python')) assert.match(await run('a.py', code, interopPython()), /^\[ ?\d+\.\d+ /)
  })

  test('in JavaScript', async () => {
    for (const code of codeOf('js'))
      assert.match(await run('a.mjs', code, process.execPath), /^\[ 36, 72 \] Int16Array/)
  })

  test('with curl', async () => {
    const commands = codeOf('sh').flatMap((code) => code.split('\n').filter((line) => line.startsWith('curl ')))
    assert.ok(commands.length > 1)
    for (const command of commands) {
      const line = command.replace('https://example.org/data.nc', new URL('examples/buoy.nc', ROOT).href)
      const { stdout } = await promisify(execFile)('sh', ['-c', line])
      assert.match(stdout, /^\{"(?:zarr_format":3|url":"http)/, line)
    }
  })

  test('on the command line', async () => {
    const commands = codeOf('sh').flatMap((code) =>
      code.split('\n').filter((line) => line.startsWith('npx virtual-zarr ')),
    )
    assert.ok(commands.length > 3)
    for (const command of commands) {
      const words = command.replace(/#.*$/, '').trim().split(/\s+/).slice(2)
      const target = words.map((word) => (word === 'refs.json' ? join(folder, word) : word))
      const { stdout } = await promisify(execFile)(process.execPath, ['bin/virtual-zarr.cjs', ...target], {
        cwd: fileURLToPath(ROOT),
      })
      assert.ok(stdout.length > 20 || target.includes('--out'), command)
    }
  })
})
