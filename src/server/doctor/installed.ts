import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile, VERSION } from '../version.ts'
import type { Check } from './check.ts'

/** Packages that are loaded when something needs them, and what that is. */
const DECODERS: readonly (readonly [name: string, use: string])[] = [
  ['@cwasm/webp', 'WebP'],
  ['jxl-oxide-wasm', 'JPEG XL'],
  ['lerc', 'LERC'],
  ['yaml', 'YAML documents'],
  ['h5wasm/node', 'verifying HDF5'],
  ['geotiff', 'verifying TIFF'],
  ['netcdfjs', 'verifying NetCDF-3'],
]

/** Peers that an operator installs for credentials of kind "default". */
const PEERS: readonly (readonly [name: string, use: string])[] = [
  ['@aws-sdk/credential-providers', "AWS's own credentials (kind: default)"],
  ['google-auth-library', "Google's own credentials (kind: default)"],
  ['@azure/identity', "Azure's own credentials (kind: default)"],
]

/** The program itself and what it stands on. */
export function installedChecks(): readonly Check[] {
  const hasPage = existsSync(packageFile('dist/web/index.html'))
  return [
    { what: 'virtual-zarr-server', state: 'ok', told: VERSION },
    nodeCheck(),
    hasPage
      ? { what: 'explorer', state: 'ok', told: 'built' }
      : { what: 'explorer', state: 'warning', told: 'not built, the page at / is a list: npm run build:web' },
    ...DECODERS.map(([name, use]) => packageCheck(name, use, 'failed')),
    ...PEERS.map(([name, use]) => packageCheck(name, use, 'off')),
  ]
}

function nodeCheck(): Check {
  const { node, v8 } = process.versions
  const isNew = Number(node.split('.')[0]) >= 24
  const told = `${node}, V8 ${v8}, ${process.platform} ${process.arch}`
  return { what: 'Node', state: isNew ? 'ok' : 'failed', told: isNew ? told : `${told}; 24 or newer is needed` }
}

function packageCheck(name: string, use: string, without: Check['state']): Check {
  try {
    const version = versionOf(fileURLToPath(import.meta.resolve(name)))
    return { what: name, state: 'ok', told: `${version}, for ${use}` }
  } catch {
    return { what: name, state: without, told: `not installed; needed for ${use}` }
  }
}

/** The version in the nearest package.json above a module that names one. */
function versionOf(module: string): string {
  if (!existsSync(module)) throw new Error(`${module} is missing`)
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (!existsSync(file)) continue
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: string }
    if (version !== undefined) return version
  }
  return 'of unknown version'
}
