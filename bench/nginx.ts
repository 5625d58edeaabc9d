import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../test/helpers/ports.ts'
import { type Running, startProgram } from './processes.ts'

const PROGRAMS = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx']

/** nginx, where it is installed. */
export const nginxProgram = PROGRAMS.find((path) => existsSync(path))

/** One nginx process that serves the files below `root` with ranges. */
export function startNginxOrigin(program: string, folder: string, root: string): Promise<Running> {
  return startNginx(
    program,
    join(folder, 'origin'),
    (port) => `
    server { listen 127.0.0.1:${port} reuseport backlog=4096; root ${root}; etag on; sendfile on; open_file_cache max=100; }`,
  )
}

/** One nginx process that relays everything to `origin`, with kept-alive connections and default buffers. */
export function startNginxRelay(program: string, folder: string, origin: string): Promise<Running> {
  return startNginx(
    program,
    join(folder, 'relay'),
    (port) => `
    upstream origin { server ${new URL(origin).host}; keepalive 128; }
    server {
      listen 127.0.0.1:${port} backlog=4096;
      location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; }
    }`,
  )
}

async function startNginx(program: string, folder: string, servers: (port: number) => string): Promise<Running> {
  const port = await freePort()
  await mkdir(folder, { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const configuration = `
    daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log crit;
    events { worker_connections 1024; }
    http { access_log off; keepalive_requests 1000000000; ${temporary.join(' ')} ${servers(port)} }`
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration)
  return startProgram(program, ['-p', folder, '-c', file, '-e', `${folder}/error.log`], port)
}
