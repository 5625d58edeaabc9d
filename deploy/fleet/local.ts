// The same set as compose.yaml without containers, of the programs on this machine: replicas, nginx, and Redis where it is installed.
// `node deploy/fleet/local.ts [PORT]` runs it until ^C; test/interop/fleet.test.ts kills parts of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('../../bin/virtual-zarr.cjs', import.meta.url))
const REPLICAS = 3

/** One process of the set. */
interface Part {
  readonly url: string
  process: ChildProcess
  start(): Promise<void>
  stop(signal: NodeJS.Signals): Promise<void>
}

export interface Fleet {
  /** Of nginx. */
  readonly url: string
  readonly replicas: readonly Part[]
  /** Undefined where it is not installed. */
  readonly redis: Part | undefined
  close(): Promise<void>
}

/** A program where Debian or others put it; undefined where it is not. */
export function installed(name: string): string | undefined {
  return ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

/** Starts the set; `environment` is of the replicas. Nginx must be installed. */
export async function startFleet(environment: Readonly<Record<string, string>>, port = 0): Promise<Fleet> {
  const nginx = installed('nginx')
  if (nginx === undefined) throw new Error('nginx is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'vz-fleet-'))
  for (const name of ['cache', 'manifests']) mkdirSync(join(folder, name))
  const parts: Part[] = []
  const keep = async (part: Promise<Part>) => {
    const started = await part
    parts.push(started)
    return started
  }
  const redisProgram = installed('redis-server') ?? installed('valkey-server')
  const redis = redisProgram === undefined ? undefined : await keep(startRedis(redisProgram, await freePort()))
  const frontPort = port === 0 ? await freePort() : port
  const own = {
    ...process.env,
    // What nginx stores holds links.
    VZ_PUBLIC_URL: `http://127.0.0.1:${frontPort}`,
    VZ_MANIFEST_DIR: join(folder, 'manifests'),
    VZ_TRUST_PROXY: 'true',
    VZ_LOG_LEVEL: 'warn',
    ...(redis === undefined ? {} : { VZ_REDIS_URL: redis.url }),
    ...environment,
  }
  const ports = await Promise.all(Array.from({ length: REPLICAS }, freePort))
  const replicas = await Promise.all(ports.map((each) => keep(startReplica(each, own))))
  const front = await keep(startNginx(nginx, folder, frontPort, ports))
  return {
    url: front.url,
    replicas,
    redis,
    async close() {
      await Promise.all(parts.map((part) => part.stop('SIGKILL')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function startReplica(port: number, environment: NodeJS.ProcessEnv): Promise<Part> {
  const url = `http://127.0.0.1:${port}`
  const start = () =>
    spawn(process.execPath, [SERVER, 'serve', '--port', String(port)], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  return startPart(url, start, async () => (await fetch(`${url}/health/ready`)).ok)
}

function startRedis(program: string, port: number): Promise<Part> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const memory = ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru']
  return startPart(
    `redis://127.0.0.1:${port}/0`,
    () => spawn(program, [...args, ...memory], { stdio: 'ignore' }),
    () => listens(port),
  )
}

function startNginx(program: string, folder: string, port: number, ports: readonly number[]): Promise<Part> {
  const [first = 0, second = 0, third = 0] = ports
  const socket = join(folder, 'inner.sock')
  const template = readFileSync(new URL('../chart/files/nginx.conf', import.meta.url), 'utf8')
  const text = template
    .replaceAll('virtual-zarr-1:8080', `127.0.0.1:${first}`)
    .replaceAll('virtual-zarr-2:8080', `127.0.0.1:${second}`)
    .replaceAll('virtual-zarr-3:8080', `127.0.0.1:${third}`)
    .replaceAll('/tmp/vz-inner.sock', socket)
    .replace('/var/cache/nginx/zarr', join(folder, 'cache'))
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace(
      'worker_processes auto;',
      `${process.getuid?.() === 0 ? 'user root; ' : ''}worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log crit;`,
    )
    .replace(
      'http {',
      `http {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}`,
    )
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, text)
  const start = () =>
    spawn(program, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  return startPart(`http://127.0.0.1:${port}`, start, () => listens(port))
}

async function startPart(url: string, start: () => ChildProcess, isReady: () => Promise<boolean>): Promise<Part> {
  const part: Part = {
    url,
    process: start(),
    async start() {
      if (part.process.exitCode !== null || part.process.signalCode !== null) part.process = start()
      await until(isReady, part)
    },
    async stop(signal) {
      const { process: child } = part
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
  await until(isReady, part)
  return part
}

async function until(isReady: () => Promise<boolean>, { url, process: child }: Part): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`${url} ended with ${child.exitCode}`)
    if (await isReady().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} did not start within 60 s`)
}

async function listens(port: number): Promise<boolean> {
  const { connect } = await import('node:net')
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

if (import.meta.main) {
  const fleet = await startFleet({}, Number(process.argv[2] ?? 8080))
  process.stdout.write(
    `${fleet.url}/ is answered by ${fleet.replicas.length} replicas${fleet.redis === undefined ? '' : ' with Redis'}, until ^C\n`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void fleet.close())
}
