import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { packageFile } from './package-files.ts'

const STATIC_FILES = [
  { name: 'page.css', type: 'text/css; charset=utf-8' },
  { name: 'copy.js', type: 'text/javascript; charset=utf-8' },
  { name: 'map-snippets.js', type: 'text/javascript; charset=utf-8' },
] as const

/** The pages' style and script, read once. */
export function serveStaticFiles(http: FastifyInstance): void {
  for (const { name, type } of STATIC_FILES) {
    const bytes = readFileSync(packageFile(`routes/static/${name}`))
    http.get(`/static/${name}`, { config: { isHidden: true } }, async (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=3600').send(bytes),
    )
  }
}
