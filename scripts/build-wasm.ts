// Compiles our own WebAssembly: `node scripts/build-wasm.ts` (`npm run build:wasm`), decision 24.
//
// Each wasm/NAME.ts becomes a module of TypeScript that holds the compiled one as hexadecimal digits, which gzip to little more than
// the bytes would: that runs in a checkout, in the package and in pages alike. The same sources always give the same text; a test compares.

import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import asc from 'assemblyscript/asc'

const ROOT = resolve(import.meta.dirname, '..')

/** Where the compiled modules are. */
export const COMPILED = 'src/codecs/kernels/wasm/compiled'

/**
 * Nothing is imported, and nothing of AssemblyScript's runtime is there: what a kernel needs is in the memory that it is lent,
 * 1 GiB at the most (`MOST_BYTES` in kernel.ts).
 */
const OPTIONS = [
  ...['-O3', '--converge', '--noAssert', '--enable', 'simd', '--runtime', 'stub', '--use', 'abort='],
  ...['--initialMemory', '1', '--maximumMemory', '16384'],
]

/** Texts of the modules by the names of their files. */
export async function compiledModules(): Promise<Record<string, string>> {
  const modules: Record<string, string> = {}
  for (const file of readdirSync(join(ROOT, 'wasm')).filter((name) => name.endsWith('.ts'))) {
    const name = `${file.slice(0, -3).replaceAll('-', '_').toUpperCase()}_WASM`
    const text = Buffer.from(await compiled(`wasm/${file}`)).toString('hex')
    modules[file] = `// Written by scripts/build-wasm.ts of wasm/${file}.\nexport const ${name} =\n  '${text}'\n`
  }
  return modules
}

async function compiled(source: string): Promise<Uint8Array> {
  const written: Uint8Array[] = []
  const { error, stderr } = await asc.main([source, '--baseDir', ROOT, '--outFile', 'module.wasm', ...OPTIONS], {
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') written.push(contents)
    },
  })
  const [module] = written
  if (error !== null || module === undefined) throw new Error(`${source}: ${error?.message}\n${stderr.toString()}`)
  return module
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await compiledModules())) writeFileSync(join(ROOT, COMPILED, file), text)
}
