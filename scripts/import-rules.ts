// Who may import whom (docs/architecture.md, section 3), as data. `scripts/check-imports.ts` enforces it.

/** What a folder below `src` (or a file directly in it, or `routes`) may import besides itself. */
export interface ImportRule {
  readonly name: string
  /** Of the importing file, from the project root; the first rule that matches counts. */
  readonly from: RegExp
  /** Of the imported file. */
  readonly to: readonly RegExp[]
}

/** A package and the only places that may import it. */
export interface PackageRule {
  readonly packageName: string
  readonly from: RegExp
}

const errors = /^src\/errors\.ts$/
const turns = /^src\/(turns|in-parallel|lazily)\.ts$/
const bytes = /^src\/bytes\//
const json = /^src\/json\//
const model = /^src\/model\//
const fillValue = /^src\/fill-value\//
const codecs = /^src\/codecs\//
const compose = /^src\/compose\//
const sourceInterface = /^src\/source\/source\.ts$/
const zarrDocuments = /^src\/formats\/zarr-documents\//
const hdf5Elements = /^src\/formats\/hdf5-elements\//
const georeference = /^src\/formats\/georeference\//
/** What every folder may use. */
const ground = [errors, turns, bytes, json]

export const IMPORT_RULES: readonly ImportRule[] = [
  { name: 'errors-imports-nothing', from: errors, to: [] },
  { name: 'turns-import-nothing', from: turns, to: [] },
  { name: 'bytes', from: bytes, to: [errors, bytes] },
  { name: 'json', from: json, to: [errors, turns, bytes, json] },
  { name: 'model', from: model, to: [...ground, model] },
  { name: 'source', from: /^src\/source\//, to: [...ground, /^src\/source\//] },
  { name: 'fill-value', from: fillValue, to: [...ground, model, fillValue] },
  {
    name: 'kernels-know-no-codec',
    from: /^src\/codecs\/kernels\//,
    to: [...ground, model, /^src\/codecs\/(kernels\/|codec\.ts$)/],
  },
  { name: 'codecs', from: codecs, to: [...ground, model, codecs, sourceInterface] },
  {
    name: 'format-registry',
    from: /^src\/formats\/(registry|built|format|sidecar)\.ts$/,
    to: [...ground, model, sourceInterface, /^src\/formats\/(format|built)\.ts$/, /^src\/formats\/[^/]+\/index\.ts$/],
  },
  {
    // The documents of Zarr v2 and v3: not a format but what a folder of Zarr and references to one have in common.
    name: 'zarr-documents',
    from: zarrDocuments,
    to: [...ground, model, fillValue, codecs, sourceInterface, /^src\/formats\/format\.ts$/, zarrDocuments],
  },
  {
    // Where grids lie, and how that is said: what raster images and gridded datasets have in common.
    name: 'georeference',
    from: georeference,
    to: [...ground, model, codecs, sourceInterface, /^src\/formats\/format\.ts$/, georeference],
  },
  {
    // How HDF5 stores elements: what its own files and the sidecars that describe them have in common.
    name: 'hdf5-elements',
    from: hdf5Elements,
    to: [...ground, model, codecs, hdf5Elements],
  },
  {
    // `<own>` is replaced by the importing format's folder.
    name: 'formats-know-no-other-format',
    from: /^src\/formats\/([^/]+)\//,
    to: [
      ...ground,
      model,
      fillValue,
      codecs,
      sourceInterface,
      /^src\/formats\/((format|sidecar)\.ts$|zarr-documents\/|georeference\/|hdf5-elements\/|<own>\/)/,
    ],
  },
  { name: 'zarr-never-reads', from: /^src\/zarr\//, to: [...ground, model, fillValue, /^src\/zarr\//] },
  { name: 'compose', from: compose, to: [...ground, model, codecs, compose] },
  {
    name: 'delivery',
    from: /^src\/delivery\//,
    to: [...ground, model, codecs, compose, fillValue, sourceInterface, /^src\/delivery\//],
  },
  { name: 'views', from: /^src\/views\//, to: [...ground, model, fillValue, codecs, georeference, /^src\/views\//] },
  {
    name: 'joins',
    from: /^src\/joins\//,
    to: [...ground, model, fillValue, codecs, georeference, /^src\/joins\//],
  },
  { name: 'manifests', from: /^src\/manifests\//, to: [...ground, model, /^src\/manifests\//] },
  {
    name: 'service',
    from: /^src\/service\//,
    to: [
      ...ground,
      model,
      fillValue,
      codecs,
      compose,
      /^src\/(source|zarr|delivery|views|joins|manifests|service)\//,
      /^src\/formats\/(registry|format)\.ts$/,
    ],
  },
  { name: 'routes-know-only-the-service', from: /^routes\//, to: [...ground, /^src\/service\//, /^routes\//] },
  // The page for people: what it knows of stores the service tells it. It shares decoders, the
  // arithmetic of calendars and the types of the API, and nothing else.
  {
    name: 'web-is-apart',
    from: /^web\//,
    to: [/^web\//, /^src\/(joins\/times|codecs\/kernels)\//, /^src\/(service\/api-schemas|json\/json)\.ts$/],
  },
  { name: 'verify', from: /^src\/verify\//, to: [...ground, model, /^src\/verify\//] },
  {
    name: 'library',
    from: /^src\/library\//,
    to: [
      ...ground,
      model,
      codecs,
      /^src\/(source|delivery|service|library)\//,
      /^src\/formats\/(registry|format)\.ts$/,
    ],
  },
  {
    // The counterparts of modules and of functions of Node, for pages.
    name: 'browser',
    from: /^src\/browser\//,
    to: [
      ...ground,
      model,
      codecs,
      /^src\/(source|delivery|service|library|browser)\//,
      /^src\/formats\/(format|registry|[^/]+\/(index|mark))\.ts$/,
    ],
  },
  {
    name: 'index-is-the-library',
    from: /^src\/index\.ts$/,
    to: [/^src\/(?!server\/|browser\/)/, /^src\/server\/start-serving\.ts$/],
  },
  { name: 'server', from: /^src\/server\//, to: [/^src\//, /^routes\//] },
]

export const PACKAGE_RULES: readonly PackageRule[] = [
  { packageName: 'undici', from: /^src\/source\// },
  { packageName: 'ipaddr.js', from: /^src\/source\// },
  { packageName: 'lru-cache', from: /^src\/(service\/|source\/(page-cache|whole-files)\.ts$)/ },
  { packageName: 'fastify', from: /^(routes|src\/server)\// },
  { packageName: '@fastify/swagger', from: /^(routes|src\/server)\// },
  { packageName: '@fastify/swagger-ui', from: /^(routes|src\/server)\// },
  { packageName: 'hyparquet-writer', from: /^src\/service\/export\/parquet\.ts$/ },
  { packageName: 'saxes', from: /^src\/(formats\/|source\/clouds\/xml\.ts$)/ },
  { packageName: 'lerc', from: /^src\/codecs\/kernels\/lerc\.ts$/ },
  { packageName: 'jxl-oxide-wasm', from: /^src\/(codecs\/kernels\/jpegxl|browser\/package-file)\.ts$/ },
  // Loaded by path, as nothing of them but the WebAssembly is wanted, or as they are CommonJS.
  { packageName: '@cwasm/webp', from: /^src\/(codecs\/kernels\/webp|browser\/package-file)\.ts$/ },
  // Bundled into the build for browsers (scripts/build-browser.ts).
  { packageName: 'pako', from: /^src\/browser\// },
  { packageName: 'fzstd', from: /^src\/browser\// },
  { packageName: 'buffer', from: /^src\/browser\// },
  { packageName: '@noble/hashes', from: /^src\/browser\// },
  // Judges: loaded when something is verified.
  { packageName: 'geotiff', from: /^src\/verify\/readers\// },
  { packageName: 'h5wasm', from: /^src\/verify\/readers\// },
  { packageName: 'h5wasm-plugins', from: /^src\/verify\/readers\// },
  { packageName: 'netcdfjs', from: /^src\/verify\/readers\// },
  { packageName: '@zarrita/storage', from: /^src\/verify\/readers\// },
  { packageName: 'pino', from: /^(routes|src\/server)\// },
  { packageName: 'ioredis', from: /^src\/manifests\/redis\// },
  { packageName: '@opentelemetry/api', from: /^src\/server\/tracing\// },
  { packageName: '@opentelemetry/exporter-trace-otlp-http', from: /^src\/server\/tracing\// },
  { packageName: '@opentelemetry/resources', from: /^src\/server\/tracing\// },
  { packageName: '@opentelemetry/sdk-trace-node', from: /^src\/server\/tracing\// },
  { packageName: 'prom-client', from: /^(routes|src\/server)\// },
  { packageName: 'preact', from: /^web\/src\// },
  { packageName: 'zarrita', from: /^(web\/src\/plot\/zarr-store\.ts$|src\/verify\/)/ },
  { packageName: 'proj4', from: /^(web\/src\/map\/projection|src\/codecs\/grib\/grids\/projections)\.ts$/ },
  { packageName: 'fzstd', from: /^web\/src\/codecs\// },
  { packageName: 'pako', from: /^web\/src\/codecs\// },
  { packageName: 'vite', from: /^web\/vite\.config\.ts$/ },
  { packageName: 'yaml', from: /^src\/(server\/|joins\/yaml\.ts$)/ },
]
