import { defineConfig } from 'vite'

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  root: import.meta.dirname,
  // The service may stand below a path: everything is found from the page.
  base: './',
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // Nothing inline: the policy of the page (routes/page-headers.ts) takes files of the service only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: true,
    chunkSizeWarningLimit: 900,
  },
})
