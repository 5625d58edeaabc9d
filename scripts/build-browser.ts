// Builds the package for browsers: `node scripts/build-browser.ts [FOLDER]`, by default into dist/browser.
//
// It is the code of Node, but for the modules below, and for the few functions of Node that it calls: src/browser/node has
// those. A function that is missing there fails this build by its name.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { brotliDecompressSync, deflateRawSync } from 'node:zlib'
import { type BuildResult, build, type Plugin } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '..')

/** Modules that a page has in another form. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  'src/bytes/packed-text.ts': 'src/browser/packed-text.ts',
  'src/codecs/kernels/package-file.ts': 'src/browser/package-file.ts',
  'src/formats/built.ts': 'src/browser/built-formats.ts',
  'src/service/join/openers.ts': 'src/browser/join-openers.ts',
  'src/source/clouds/registry.ts': 'src/browser/clouds.ts',
  'src/source/inflated-parts.ts': 'src/browser/inflated-parts.ts',
}

/** Tables of ours, packed by Brotli. */
const PACKED = /\/src\/formats\/(?:georeference\/crs\/epsg-table|grib\/tables\/(?:codes|parameters|templates))\.ts$/

/** The same text for the inflater that a page has anyway. */
function packedAnew(source: string): string {
  return source.replace(/'([A-Za-z0-9+/=]{8,})'/g, (_literal, packed: string) => {
    const text = brotliDecompressSync(Buffer.from(packed, 'base64'))
    return `'${deflateRawSync(text, { level: 9 }).toString('base64')}'`
  })
}

/** Puts the counterparts in their places; what packages ask of Node where they find it is nothing. */
export const forBrowsers: Plugin = {
  name: 'for-browsers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path: resolve(ROOT, `src/browser/node/${path.slice(5)}.ts`) }))
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir, importer }) => {
      const target = resolve(resolveDir, path)
      const counterpart = COUNTERPARTS[target.slice(ROOT.length + 1)]
      if (counterpart === undefined || importer.endsWith(counterpart)) return undefined
      return { path: resolve(ROOT, counterpart) }
    })
    onLoad({ filter: PACKED }, async ({ path }) => ({
      contents: packedAnew(await readFile(path, 'utf8')),
      loader: 'ts',
    }))
    onResolve({ filter: /^(?:fs|path|crypto|url|module|worker_threads)$/ }, ({ path }) => ({
      path,
      namespace: 'nothing',
    }))
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Bundles entry points for browsers, with what is loaded later in files of their own. */
export async function buildForBrowsers(
  entryPoints: readonly string[],
  outdir: string,
): Promise<BuildResult<{ metafile: true }>> {
  return await build({
    absWorkingDir: ROOT,
    entryPoints: [...entryPoints],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    metafile: true,
    legalComments: 'linked',
    loader: { '.wasm': 'binary' },
    inject: [resolve(ROOT, 'src/browser/node/globals.ts')],
    define: { global: 'globalThis' },
    plugins: [forBrowsers],
    logLevel: 'warning',
  })
}

if (import.meta.main) {
  const outdir = resolve(process.argv[2] ?? `${ROOT}/dist/browser`)
  await buildForBrowsers(['src/browser/index.ts'], outdir)
  if (!existsSync(`${outdir}/index.js`)) throw new Error('the build for browsers is empty')
}
