// Files of packages that are no ES modules, each of them loaded when it is first needed.

/** As esbuild gives them, whatever the types of a package say of it. */
type Loaded = { readonly default: Uint8Array<ArrayBuffer> }

const FILES: Readonly<Record<string, () => Promise<unknown>>> = {
  '@cwasm/webp/webp.wasm': () => import('@cwasm/webp/webp.wasm'),
  '@cornerstonejs/codec-libjxl/dist/jpegxlwasm_decode.wasm': () =>
    import('@cornerstonejs/codec-libjxl/dist/jpegxlwasm_decode.wasm'),
  'jxl-oxide-wasm/module.wasm': () => import('jxl-oxide-wasm/module.wasm'),
  '@cornerstonejs/codec-openjpeg/decodewasm': () => import('@cornerstonejs/codec-openjpeg/decodewasm'),
}

const SCRIPTS: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {
  // An ES module: its default is what it is asked for.
  '@cornerstonejs/codec-libjxl/decodewasmjs': async () => ({
    default: await import('@cornerstonejs/codec-libjxl/decodewasmjs'),
  }),
  '@cornerstonejs/codec-openjpeg/decodewasmjs': () => import('@cornerstonejs/codec-openjpeg/decodewasmjs'),
}

export async function packageFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return ((await loaded(FILES, path)) as Loaded).default
}

export async function packageScript(path: string): Promise<unknown> {
  return (await loaded(SCRIPTS, path)).default
}

async function loaded<Module>(modules: Readonly<Record<string, () => Promise<Module>>>, path: string): Promise<Module> {
  const load = modules[path]
  if (load === undefined) throw new Error(`${path} is not part of the build for browsers`)
  return await load()
}
