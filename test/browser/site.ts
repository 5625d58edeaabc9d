import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { BACKGROUND, WINDOW_SIZE } from './viewer.ts'

const PAGE = `<!doctype html><meta charset="utf-8"><title>viewers</title><link rel="icon" href="data:,">
<style>
  html, body { margin: 0; background: rgb(${BACKGROUND.join(' ')}) }
  .map { position: absolute; width: ${WINDOW_SIZE}px; height: ${WINDOW_SIZE}px }
  [class^='channel-'] { mix-blend-mode: plus-lighter }
</style>
<body><div id="map" class="map"></div><script type="module" src="page.js"></script></body>`

/** The page with the viewers, on this machine. */
export interface Site {
  readonly url: string
  close(): Promise<void>
}

/** Bundles the viewers, or a script of one's own, and serves them: their origin is not the service's, as for most users. */
export async function startSite(script?: string): Promise<Site> {
  const files = await bundle(script)
  const server = createServer((request, response) => {
    const body = request.url === '/' ? PAGE : files.get(request.url ?? '')
    const type = request.url === '/' ? 'text/html' : 'text/javascript'
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bundle(script: string | undefined): Promise<ReadonlyMap<string, Uint8Array>> {
  const worker = fileURLToPath(import.meta.resolve('maplibre-gl/dist/maplibre-gl-worker.mjs'))
  const page = fileURLToPath(new URL('page/page.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: { 'maplibre-worker': worker, ...(script === undefined && { page }) },
    ...(script !== undefined && {
      stdin: { contents: script, resolveDir: import.meta.dirname, sourcefile: 'page.js' },
    }),
    bundle: true,
    format: 'esm',
    target: 'es2024',
    outdir: '/',
    write: false,
    logLevel: 'error',
  })
  return new Map(outputFiles.map(({ path, contents }) => [nameOf(path), contents]))
}

/** A script of one's own is the page's. */
function nameOf(path: string): string {
  return `/${path.split(/[\\/]/).at(-1)}`.replace('/stdin.js', '/page.js')
}
