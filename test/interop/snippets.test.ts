import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Inspection } from '../../web/src/service/types.ts'
import { snippetsOf } from '../../web/src/snippets/snippets.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const KEY = 'canary-of-the-snippets-0123456789'
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** A name that ends or expands whatever is quoted carelessly. */
const ODD = `it's "odd" $HOME \`id\``

const NOT_HERE = 'R with the package stars on GDAL 3.12 or newer is not on this machine'

/** How a snippet is run; undefined where its client is not on this machine. */
const RUNNERS: Readonly<Record<string, () => readonly string[] | undefined>> = {
  xarray: () => [interopPython(), '-W', 'ignore', '-c'],
  'zarr-python': () => [interopPython(), '-W', 'ignore', '-c'],
  tensorstore: () => [interopPython(), '-c'],
  zarrita: () => [process.execPath, '--input-type=module', '-e'],
  curl: () => ['sh', '-c'],
  GDAL: () => ['sh', '-c'],
  R: () => (gdalVersion() >= 312 && isInstalled('Rscript') ? ['Rscript', '-e'] : undefined),
}

describe('the snippets of the explorer run as they are copied', () => {
  let folder: string
  let server: ServerProcess
  let locked: ServerProcess

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vz-snippets-'))
    writeOddStore(join(folder, 'odd.zarr'))
    writeGdalProgram(folder)
    server = await startServer({ VZ_FILE_ROOT: folder })
    locked = await startServer({ VZ_API_KEYS: `tester:${KEY}` })
  })
  after(async () => {
    await server?.stop()
    await locked?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const arrays = [
    { store: () => 'relief', path: 'elevation', named: /elevation/, found: /-3540/ },
    { store: () => 'forest', path: 'plots/height', named: /height/, found: /\d/ },
    { store: oddStore, path: `group/${ODD}`, named: /odd/, found: /\b7\b/ },
  ]
  for (const { store, path, named, found } of arrays) {
    for (const client of Object.keys(RUNNERS)) {
      test(`${client} reads ${path}`, async (context) => {
        const run = RUNNERS[client]?.()
        if (run === undefined) return context.skip(NOT_HERE)
        const output = await outputOf(run, await snippet(store(), path, client), folder)
        if (client === 'curl') assert.equal((JSON.parse(output) as { node_type: string }).node_type, 'array')
        else assert.match(output, client === 'xarray' ? named : found)
      })
    }
  }

  for (const client of Object.keys(RUNNERS)) {
    test(`PROC-2: ${client} reads with a key, which is in the environment and not in the snippet`, async (context) => {
      const run = RUNNERS[client]?.()
      if (run === undefined) return context.skip(NOT_HERE)
      const code = await snippet('relief', 'elevation', client, locked)
      assert.ok(!code.includes(KEY))
      const output = await outputOf(run, code, folder)
      assert.match(output, client === 'xarray' ? /elevation/ : client === 'curl' ? /"array"/ : /-3540/)
    })
  }

  for (const path of ['', 'plots']) {
    for (const client of ['xarray', 'zarr-python', 'zarrita', 'curl']) {
      test(`${client} lists the group ${path || 'at the root'}`, async () => {
        const output = await outputOf(RUNNERS[client]?.() ?? [], await snippet('forest', path, client), folder)
        assert.match(output, path === '' ? /cover/ : /species/)
      })
    }
  }

  function oddStore(): string {
    return `~${Buffer.from(`${pathToFileURL(join(folder, 'odd.zarr')).href}/`).toString('base64url')}`
  }

  async function snippet(store: string, path: string, client: string, { url } = server): Promise<string> {
    const headers = { 'x-api-key': KEY }
    const answer = await fetch(`${url}inspect?store=${encodeURIComponent(store)}`, { headers })
    const { arrays } = (await answer.json()) as Inspection
    assert.ok(path === '' || path === 'plots' || arrays[path] !== undefined, Object.keys(arrays).join())
    const all = snippetsOf({ url: `${url}zarr/${store}`, path, array: arrays[path], needsKey: url === locked.url })
    const code = all.find((one) => one.client === client)?.code
    assert.ok(code !== undefined)
    return code
  }
})

async function outputOf([command = '', ...args]: readonly string[], code: string, folder: string): Promise<string> {
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, API_KEY: KEY }
  const { stdout } = await promisify(execFile)(command, [...args, code], { cwd: ROOT, env, timeout: 120_000 })
  return stdout
}

/** GDAL 3.12 is in no Debian yet, but in a wheel: the function behind the program is called from there. */
function writeGdalProgram(folder: string): void {
  const script = join(ROOT, 'test/interop/python/gdalmdiminfo.py')
  writeFileSync(join(folder, 'gdalmdiminfo'), `#!/bin/sh\nexec "${interopPython()}" -W ignore "${script}" "$@"\n`)
  chmodSync(join(folder, 'gdalmdiminfo'), 0o755)
}

function writeOddStore(folder: string): void {
  const array = {
    zarr_format: 3,
    node_type: 'array',
    shape: [4],
    data_type: 'int32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 7,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes: {},
    dimension_names: ['x'],
  }
  const group = { zarr_format: 3, node_type: 'group', attributes: {} }
  const metadata = { group, [`group/${ODD}`]: array }
  mkdirSync(join(folder, 'group', ODD), { recursive: true })
  const consolidated = { kind: 'inline', must_understand: false, metadata }
  writeFileSync(join(folder, 'zarr.json'), JSON.stringify({ ...group, consolidated_metadata: consolidated }))
  writeFileSync(join(folder, 'group', 'zarr.json'), JSON.stringify(group))
  writeFileSync(join(folder, 'group', ODD, 'zarr.json'), JSON.stringify(array))
}

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** 312 for 3.12; 0 where GDAL is not installed. */
function gdalVersion(): number {
  try {
    const [, major, minor] =
      /GDAL (\d+)\.(\d+)/.exec(execFileSync('gdalmdiminfo', ['--version'], { encoding: 'utf8' })) ?? []
    return Number(major) * 100 + Number(minor)
  } catch {
    return 0
  }
}
