import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const codecs = join(import.meta.dirname, 'src/codecs')

/** Decoders of the service run in the page as they are, but for what Node inflates. */
const inflatesItself: Plugin = {
  name: 'inflates-itself',
  enforce: 'pre',
  resolveId: (name, importer) =>
    name === './inflate.ts' && importer?.includes('/src/codecs/kernels/') ? join(codecs, 'inflate.ts') : undefined,
}

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  root: import.meta.dirname,
  // The service may stand below a path: everything is found from the page.
  base: './',
  plugins: [inflatesItself],
  resolve: {
    alias: {
      'numcodecs/blosc': join(codecs, 'blosc.ts'),
      'numcodecs/zstd': join(codecs, 'zstd.ts'),
      'numcodecs/lz4': join(codecs, 'lz4.ts'),
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // Nothing inline: the policy of the page (routes/page-headers.ts) takes files of the service only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: true,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
