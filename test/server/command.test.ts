import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { COMMANDS } from '../../src/server/commands/list.ts'
import { SETTING_FLAGS } from '../../src/server/config.ts'
import { type Commands, startCommands } from '../helpers/commands.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { runCli, startServer } from '../helpers/process.ts'

// One command of each exit code is a process, the others run in a thread: what ends them is the same function.
let commands: Commands
let folder: string
let file: string
before(async () => {
  commands = startCommands()
  folder = await mkdtemp(join(tmpdir(), 'vz-cli-'))
  file = join(folder, 'grid.nc')
  await writeFile(file, netcdf3File({ rows: 4, columns: 3 }))
})
after(async () => {
  await commands.close()
  await rm(folder, { recursive: true })
})

test('SET-4: every command explains itself', async () => {
  const usage = await runCli(['--help'])
  assert.equal(usage.code, 0)
  assert.ok(COMMANDS.length > 7)
  for (const { name, flags, about } of COMMANDS) {
    assert.ok(usage.stdout.includes(`virtual-zarr ${name}`), name)
    const help = await commands.run([name, '--help'])
    assert.equal(help.code, 0, name)
    assert.ok(help.stdout.startsWith(`virtual-zarr ${name}`) && help.stdout.includes(`\n    ${about}\n`), name)
    for (const [flag, { meaning }] of Object.entries(flags))
      assert.match(help.stdout, new RegExp(`^  --${flag}\\b.*  ${meaning.slice(0, 12).replace(/[(.]/g, '.')}`, 'm'))
    assert.match(help.stdout, /^Exit codes: 0 done; 1 .*; 2 /m)
  }
})

test('serve explains every flag in a line, and each one is taken', async () => {
  const { stdout } = await commands.run(['serve', '--help'])
  for (const flag of SETTING_FLAGS) assert.match(stdout, new RegExp(`--${flag} \\S+ +\\w.{10,}$`, 'm'), flag)
  // Each is known: what is refused is the file that comes last.
  const all = SETTING_FLAGS.filter((flag) => flag !== 'config').flatMap((flag) => [`--${flag}`, ''])
  const { code, stderr } = await commands.run(['serve', ...all, '--allow', 'http://a/', '--config', '/nowhere.yaml'])
  assert.equal(code, 2)
  assert.match(stderr, /^VZ_CONFIG: \/nowhere\.yaml/)
})

test('a folder is served: its files are stores, its neighbours stay closed', async () => {
  const own = join(folder, 'own')
  await mkdir(own, { recursive: true })
  await copyFile(file, join(own, 'Grid 1.nc'))
  const server = await startServer({}, [own])
  try {
    const { datasets } = (await (await fetch(`${server.url}/datasets`)).json()) as { datasets: { url: string }[] }
    assert.deepEqual(
      datasets.map(({ url }) => url),
      [`${server.url}/zarr/grid-1.nc/`],
    )
    assert.equal((await fetch(`${server.url}/zarr/grid-1.nc/temperature/c/0/0`)).status, 200)
    const neighbour = `${server.url}/resolve?url=${encodeURIComponent(pathToFileURL(file).href)}`
    assert.equal((await fetch(neighbour)).status, 403)
  } finally {
    await server.stop()
  }
})

test('a port that is in use, or an address of another machine, is one line', async () => {
  const busy = createServer().listen(0, '127.0.0.1')
  await once(busy, 'listening')
  const { port } = busy.address() as AddressInfo
  const ended = await runCli(['serve', '--port', String(port)])
  busy.close()
  assert.equal(ended.code, 2)
  assert.match(ended.stderr, /^PORT: \d+ on 127\.0\.0\.1 is in use; --port takes another one\n$/)
  const elsewhere = await runCli(['serve', '--port', '0', '--host', '192.0.2.1'])
  assert.equal(elsewhere.code, 2)
  assert.match(elsewhere.stderr, /^HOST: 192\.0\.2\.1 is no address of this machine\n$/)
})

test('inspect prints what a file holds, as text or as JSON, without any setting', async () => {
  const text = await runCli(['inspect', file])
  assert.equal(text.code, 0)
  assert.match(text.stdout, /^file:.*grid\.nc\nnetcdf3, version /)
  assert.match(text.stdout, /^temperature {2}float32 \(y: 4, x: 3\)\n {4}chunks +1 of \(4, 3\)\n/m)
  assert.match(text.stdout, /^ {4}fill +-9999\.0, from .*_FillValue/m)
  const { code, stdout } = await commands.run(['inspect', file, '--json'])
  assert.equal(code, 0)
  const inspection = JSON.parse(stdout)
  assert.equal(inspection.format, 'netcdf3')
  assert.deepEqual(inspection.arrays.temperature.shape, [4, 3])
  assert.equal(inspection.arrays.temperature.fill_value, -9999)
  assert.match(inspection.arrays.temperature.fill_value_from, /_FillValue/)
})

test('read prints values, sliced as numpy slices', async () => {
  const read = async (...words: string[]) =>
    JSON.parse((await commands.run(['read', file, 'temperature', '--json', ...words])).stdout)
  assert.deepEqual(await read(), {
    shape: [4, 3],
    values: [
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
      [9, 10, 11],
    ],
  })
  assert.deepEqual(await read('--slice', '1:3,-1'), { shape: [2], values: [5, 8] })
  assert.deepEqual(await read('--slice', '0,0'), { shape: [], values: 0 })
})

test('read prints as numpy does, and every option of a store is a flag', async () => {
  const { code, stdout } = await commands.run(['read', file, '/temperature/', '--codecs', 'raw', '--null-fill', 'zero'])
  assert.equal(code, 0)
  assert.equal(
    stdout,
    'temperature  float32 (y: 4, x: 3)\n[[ 0.0  1.0  2.0]\n [ 3.0  4.0  5.0]\n [ 6.0  7.0  8.0]\n [ 9.0 10.0 11.0]]\n',
  )
  for (const [words, message] of [
    [['--codecs', 'fast'], /^invalid-request: option codecs .*portable, native, raw/],
    [['--colour', 'red'], /^Unknown option '--colour'; --help lists what there is\n$/],
    [['--null_fill', 'none'], /^invalid-request: option null_fill /],
  ] as const) {
    const refused = await commands.run(['read', file, 'temperature', ...words])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, message)
  }
})

test('export prints the manifest as Kerchunk references', async () => {
  const { code, stdout } = await runCli(['export', file, '--to', 'kerchunk'])
  assert.equal(code, 0)
  const { version, refs } = JSON.parse(stdout)
  assert.equal(version, 1)
  const [url, offset, length] = refs['temperature/0.0']
  assert.match(url, /grid\.nc$/)
  assert.equal(length, 48)
  assert.equal(offset + length, netcdf3File({ rows: 4, columns: 3 }).length)
  assert.equal(JSON.parse(refs['temperature/.zarray']).dtype, '>f4')
})

test('export tells as JSON what it wrote, and asks for a place where the document is the output', async () => {
  for (const [to, files] of [
    ['kerchunk', 1],
    ['kerchunk-parquet', 2],
    ['icechunk', 4],
  ] as const) {
    const out = join(folder, `refs-${to}`)
    const { code, stdout, stderr } = await commands.run(['export', file, '--to', to, '--out', out, '--json'])
    assert.equal(code, 0, stderr)
    const told = JSON.parse(stdout)
    assert.deepEqual([told.to, told.out, told.left_out], [to, out, {}])
    assert.ok(told.files >= files && told.bytes > 100, stdout)
  }
  const refused = await commands.run(['export', file, '--json'])
  assert.equal(refused.code, 2)
  assert.deepEqual(JSON.parse(refused.stderr).error, '--json')
})

test('with --json an error is JSON, too, and goes where errors go', async () => {
  const { code, stdout, stderr } = await commands.run(['read', file, 'nothing', '--json'])
  assert.deepEqual([code, stdout], [2, ''])
  assert.equal(JSON.parse(stderr).error, 'invalid-request')
  assert.match(JSON.parse(stderr).message, /there are temperature/)
})

test('read --stats counts, compares and adds what is not missing', async () => {
  const { stdout } = await commands.run(['read', file, 'temperature', '--stats', '--slice', '1:3,:'])
  assert.equal(
    stdout,
    'temperature  float32 (y: 2, x: 3)\nvalues   6\nmissing  0 (0 %)\nmin      3\nmax      8\nmean     5.5\n',
  )
  const json = JSON.parse((await commands.run(['read', file, 'temperature', '--stats', '--json'])).stdout)
  assert.deepEqual(json, { shape: [4, 3], count: 12, missing: 0, min: 0, max: 11, mean: 5.5 })
  const none = JSON.parse(
    (await commands.run(['read', file, 'temperature', '--stats', '--json', '--slice', '2:2'])).stdout,
  )
  assert.deepEqual(none, { shape: [0, 3], count: 0, missing: 0, min: null, max: null, mean: null })
})

test('exit codes tell what failed: 1 the source, 2 the usage or the configuration', async () => {
  await writeFile(join(folder, 'notes.txt'), 'plain text')
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [['inspect', join(folder, 'notes.txt')], {}, 1, /unknown-format/],
    [['inspect', join(folder, 'absent.nc')], {}, 2, /absent\.nc/],
    [['inspect'], {}, 2, /URL/],
    [['export', file, '--codecs', 'raw'], {}, 2, /^--codecs: .*native/],
    [['healthcheck', '--port', '9'], {}, 1, /^source-unavailable: http:\/\/127\.0\.0\.1:9 is not ready: .*\n$/],
    [['read', file], {}, 2, /name one of the arrays: temperature/],
    [['inspect', file, '--option', 'codec=raw'], {}, 2, /codec/],
    [['read', file, 'nothing'], {}, 2, /temperature/],
    [['fly'], {}, 2, /no command fly/],
    [['serve', '--colour', 'red'], {}, 2, /colour/],
    [['serve'], { PORT: 'eighty' }, 2, /^PORT:/],
    [['serve'], { VZ_REDIS_URL: 'http://x' }, 2, /^VZ_REDIS_URL:/],
  ]
  for (const [i, [words, environment, code, message]] of cases.entries()) {
    const ended = i < 2 ? await runCli(words, environment) : await commands.run(words, environment)
    assert.equal(ended.code, code, words.join(' '))
    assert.match(ended.stderr, message)
    assert.equal(ended.stdout, '')
  }
})
