import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UNBUILT_SHELL } from '../../routes/explorer.ts'
import { lazily } from '../lazily.ts'
import { packageFile } from './version.ts'

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
}

/** The explorer as `npm run build:web` makes it; a page that says so where that was not done. */
export function builtShell(): string {
  const file = packageFile('dist/web/index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : UNBUILT_SHELL
}

/** The files that the page loads: its own, and the package for browsers, which reads dropped files. */
export function serveBuiltFiles(http: FastifyInstance): void {
  serveFolder(http, 'dist/web/assets', '/assets/')
  serveFolder(http, 'dist/browser', '/library/')
}

/** The style of plain pages, read once. */
export function servePageStyle(http: FastifyInstance): void {
  const bytes = readFileSync(packageFile('routes/static/page.css'))
  http.get('/static/page.css', { config: { isHidden: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(bytes),
  )
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Names have their contents' hash, so that they never change, but for that of an entry. */
function serveFolder(http: FastifyInstance, from: string, to: string): void {
  const folder = packageFile(from)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const type = TYPES[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    const file = lazily(() => compressible(readFileSync(join(folder, name))))
    const caching = name === 'index.js' ? 'no-cache' : FOR_EVER
    http.get(`${to}${name}`, { config: { isHidden: true } }, async (request, reply) => {
      reply.headers({ 'content-type': type, 'cache-control': caching })
      return await sendCompressed(request, reply, file())
    })
  }
}

interface CompressibleFile {
  readonly bytes: Buffer
  readonly gzipped: () => Promise<Buffer>
  readonly brotli: () => Promise<Buffer>
}

function compressible(bytes: Buffer): CompressibleFile {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return {
    bytes,
    gzipped: lazily(() => promisify(gzip)(bytes)),
    brotli: lazily(() => promisify(brotliCompress)(bytes, { params })),
  }
}

/** Compressed once, when first asked for. */
async function sendCompressed(request: FastifyRequest, reply: FastifyReply, file: CompressibleFile): Promise<Buffer> {
  const accepted = request.headers['accept-encoding'] ?? ''
  reply.header('vary', 'Accept-Encoding')
  if (/\bbr\b(?!;q=0(\.0*)?(,|$))/.test(accepted)) {
    reply.header('content-encoding', 'br')
    return await file.brotli()
  }
  if (/\bgzip\b(?!;q=0(\.0*)?(,|$))/.test(accepted)) {
    reply.header('content-encoding', 'gzip')
    return await file.gzipped()
  }
  return file.bytes
}
