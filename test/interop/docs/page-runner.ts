import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { readJoinDocument } from '../../../src/joins/read-document.ts'
import { readConfig } from '../../../src/server/config.ts'
import { interopPython } from '../venv.ts'
import { type Block, ROOT } from './blocks.ts'

/** Where pages say that the service is. */
const MEANT_FOR_READERS = 'http://127.0.0.1:8080'
/** Stands between what two blocks of a page print. */
const BORDER = '\x1e'

/** Runs the blocks of pages in a folder that looks like a checkout. */
export class PageRunner {
  readonly #server: string
  readonly #folder: string

  /** `server` is where the service is, without a final slash. */
  constructor(server: string) {
    this.#server = server
    this.#folder = mkdtempSync(join(tmpdir(), 'vz-docs-'))
    for (const name of ['examples', 'node_modules']) symlinkSync(join(ROOT, name), join(this.#folder, name))
    // A failed answer is a failed command; `npx virtual-zarr` is the command of this checkout.
    writeFileSync(join(this.#folder, '.curlrc'), 'fail\nsilent\nshow-error\n')
    const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(ROOT, 'bin/virtual-zarr.cjs')}" "$@"\n`
    writeFileSync(join(this.#folder, 'npx'), npx)
    chmodSync(join(this.#folder, 'npx'), 0o755)
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Python of one page is one session, as in a notebook. */
  async python(blocks: readonly Block[]): Promise<void> {
    const code = blocks.map((block) => `${this.#here(block.code)}\nprint(${JSON.stringify(BORDER)}, end="")\n`).join('')
    writeFileSync(join(this.#folder, 'page.py'), code)
    const printed = (await this.#run(interopPython(), ['-W', 'error', 'page.py'])).split(BORDER)
    for (const [at, block] of blocks.entries()) checkOutput(block, printed[at] ?? '')
  }

  async javascript(block: Block): Promise<void> {
    // The package as it lies here: that it is found by its name is asked of the tarball (scripts/check-outside.sh).
    const own = JSON.stringify(pathToFileURL(join(ROOT, 'src/index.ts')).href)
    const code = this.#here(block.code).replace(/(["'])virtual-zarr-server\1/, own)
    writeFileSync(join(this.#folder, 'block.mjs'), code.replaceAll(STAND_IN, join(ROOT, 'examples/sea-surface.nc')))
    checkOutput(block, await this.#run(process.execPath, ['block.mjs']))
  }

  async shell(block: Block): Promise<void> {
    const file = pathToFileURL(join(ROOT, 'examples/sea-surface.nc')).href
    checkOutput(block, await this.#run('sh', ['-e', '-c', this.#here(block.code).replaceAll(STAND_IN, file)]))
  }

  /** A document of a join is read, a configuration checked. */
  async yaml(block: Block): Promise<void> {
    if (/^virtual_zarr:/m.test(block.code)) {
      await readJoinDocument(Buffer.from(block.code))
      return
    }
    const file = join(this.#folder, 'config.yaml')
    writeFileSync(file, block.code)
    readConfig({ flags: { config: file }, environment: {}, bundledCatalog: undefined })
  }

  #here(code: string): string {
    return code.replaceAll(MEANT_FOR_READERS, this.#server)
  }

  async #run(command: string, args: readonly string[]): Promise<string> {
    const env = {
      ...process.env,
      VZ_MANIFEST_DIR: '',
      PATH: `${this.#folder}:${process.env['PATH']}`,
      CURL_HOME: this.#folder,
    }
    const options = { cwd: this.#folder, env, timeout: 300_000, maxBuffer: 2 ** 26 }
    return (await promisify(execFile)(command, [...args], options)).stdout
  }
}

/** Files that pages name for example. */
const STAND_IN = /https:\/\/(?:data\.)?example\.org\/(?:data|sst)\.nc|(?<=\s)\.\/sst\.nc/g

/** With DOCS_OUTPUT=write what was printed is written into the page. */
function checkOutput({ page, line, code, output }: Block, printed: string): void {
  if (output === undefined) return
  if (process.env['DOCS_OUTPUT'] !== 'write') {
    assert.equal(trimmed(printed), trimmed(output), `${page}:${line}`)
    return
  }
  const [file, shown] = [join(ROOT, page), `${code}\`\`\`\n\`\`\`text\n`]
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace(`${shown}${output}`, () => `${shown}${trimmed(printed)}\n`),
  )
}

function trimmed(text: string): string {
  return text.replace(/[ \t]+$/gm, '').trim()
}
