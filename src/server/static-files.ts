import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { packageFile } from './package-files.ts'

const STATIC_FILES = [
  { name: 'page.css', type: 'text/css; charset=utf-8' },
  { name: 'copy.js', type: 'text/javascript; charset=utf-8' },
] as const

/** Nothing may run or load but our own two files: a page shows text that came out of someone's file. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The pages' style and script, read once; and the policy under which pages run. */
export function serveStaticFiles(http: FastifyInstance): void {
  for (const { name, type } of STATIC_FILES) {
    const bytes = readFileSync(packageFile(`routes/static/${name}`))
    http.get(`/static/${name}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=3600').send(bytes),
    )
  }
  http.addHook('onSend', async (request, reply) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    // Swagger UI brings its own, with the hashes of its script.
    if (isPage && !request.url.startsWith('/docs')) reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
  })
}
