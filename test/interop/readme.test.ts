import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
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
    for (const code of codeOf('js')) {
      // The package as it lies here: that it is found by its name is asked of the tarball (scripts/check-outside.sh).
      const own = code
        .replace('"virtual-zarr-server"', JSON.stringify(new URL('src/index.ts', ROOT).href))
        .replace('https://example.org/data.nc', fileURLToPath(new URL('examples/sea-surface.nc', ROOT)))
      assert.match(await run('a.mjs', own, process.execPath), /^\[ 36, 72 \] Int16Array/)
    }
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

  test('files of `python -m http.server` on this machine: the refusal says how they are allowed', async () => {
    const examples = fileURLToPath(new URL('examples/', ROOT))
    const python = spawn(interopPython(), ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1'], { cwd: examples })
    try {
      const [line] = (await once(python.stdout, 'data')) as [Buffer]
      const port = /port (\d+)/.exec(String(line))?.[1] ?? assert.fail(String(line))
      const source = `http://localhost:${port}/sea-surface.nc`
      const query = `resolve?url=${encodeURIComponent(source)}`
      const refusal = (await (await fetch(server.url + query)).json()) as { detail: string }
      const [, setting = '', value = ''] = /(VZ_\w+)=(\S+)/.exec(refusal.detail) ?? []
      const allowing = await startServer({ [setting]: value })
      try {
        const { url } = (await (await fetch(allowing.url + query)).json()) as { url: string }
        const [code = ''] = codeOf('python')
        const read = code.replace(`${server.url}zarr/sea-surface`, url)
        assert.notEqual(read, code)
        assert.match(await run('own.py', read, interopPython()), /^\[ ?\d+\.\d+ /)
      } finally {
        await allowing.stop()
      }
    } finally {
      python.kill()
      await once(python, 'exit')
    }
  })

  test('on the command line', async () => {
    const commands = codeOf('sh').flatMap((code) =>
      code.split('\n').filter((line) => /^npx virtual-zarr (?!open )/.test(line)),
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
