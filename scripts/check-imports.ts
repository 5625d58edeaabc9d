// Checks every import of src, routes and web against scripts/import-rules.ts: `node scripts/check-imports.ts [root]`.
//
// A scan for import statements instead of a parser, so that type-only imports are seen too (docs/decisions/0003).
// Biome's formatter keeps statements at the start of a line, which is what the scan relies on.
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IMPORT_RULES, PACKAGE_RULES } from './import-rules.ts'

interface Import {
  readonly from: string
  readonly specifier: string
  readonly typeOnly: boolean
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"`]([^'"`]+)['"`]/g

/** The imports of one file, static (with re-exports) and dynamic ones. */
export function importsOf(from: string, text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const statements = [...code.matchAll(STATEMENT)].map(([, type, specifier = '']) => ({
    from,
    specifier,
    typeOnly: type !== undefined,
  }))
  const dynamic = [...code.matchAll(DYNAMIC)].map(([, specifier = '']) => ({ from, specifier, typeOnly: false }))
  return [...statements, ...dynamic]
}

/** The imported file from the project root; undefined for a package or a part of Node. */
function target({ from, specifier }: Import): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return normalize(join(dirname(from), specifier))
    .split(sep)
    .join('/')
}

function fileViolation(found: Import, to: string): string | undefined {
  const rule = IMPORT_RULES.find(({ from }) => from.test(found.from))
  if (rule === undefined) return `no-home: ${found.from} is in a folder that the import table doesn't know`
  const own = rule.from.exec(found.from)?.[1] ?? ''
  const allowed = rule.to.some((pattern) => new RegExp(pattern.source.replace('<own>', own)).test(to))
  return allowed ? undefined : `${rule.name}: ${found.from} may not import ${to}`
}

function packageViolation({ from, specifier }: Import): string | undefined {
  if (isBuiltin(specifier)) {
    return specifier.startsWith('node:') ? undefined : `node-protocol: ${from} imports ${specifier} without node:`
  }
  const packageName = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const rules = PACKAGE_RULES.filter((rule) => rule.packageName === packageName)
  if (rules.some((rule) => rule.from.test(from))) return undefined
  return rules.length === 0
    ? `package-without-home: ${from} imports ${packageName}, which scripts/import-rules.ts gives no home`
    : `package-home: ${from} may not import ${packageName}`
}

/** Files that import each other at run time, as one path through the circle. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) found.push(`no-circles: ${[...path.slice(at), file].join(' -> ')}`)
    if (at >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return found
}

/** Every violation in a project, one line each, beginning with the name of the rule it breaks. */
export function violations(root: string): string[] {
  const files = globSync(['src/**/*.ts', 'routes/**/*.ts', 'web/**/*.{ts,tsx}'], { cwd: root }).map((file) =>
    file.split(sep).join('/'),
  )
  const imports = files.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')))
  const graph = new Map<string, string[]>(files.map((file) => [file, []]))
  const broken = imports.map((found) => {
    const to = target(found)
    if (to === undefined) return packageViolation(found)
    if (!found.typeOnly) graph.get(found.from)?.push(to)
    return fileViolation(found, to)
  })
  return [...broken.filter((line) => line !== undefined), ...circles(graph)]
}

if (import.meta.main) {
  const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
  const found = violations(root)
  for (const line of found) console.error(line)
  if (found.length > 0) process.exitCode = 1
  else console.log('imports: every one is in the table')
}
