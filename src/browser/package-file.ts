// Files of packages that are no ES modules, each of them loaded when it is first needed.

/** As esbuild gives them, whatever the types of a package say of it. */
type Loaded = { readonly default: Uint8Array<ArrayBuffer> }

const FILES: Readonly<Record<string, () => Promise<unknown>>> = {
  '@cwasm/webp/webp.wasm': () => import('@cwasm/webp/webp.wasm'),
  'jxl-oxide-wasm/module.wasm': () => import('jxl-oxide-wasm/module.wasm'),
}

export async function packageFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const load = FILES[path]
  if (load === undefined) throw new Error(`${path} is not part of the build for browsers`)
  return ((await load()) as Loaded).default
}
