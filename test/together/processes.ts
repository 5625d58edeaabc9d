import { globSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitsWhenLoaded } from './waits-when-loaded.ts'

/** Folders of tests that share a process: a process costs more than most of its tests. What is in none of them is `others`. */
const FOLDERS = {
  values: ['bytes', 'codecs', 'delivery', 'fill-value', 'json', 'model', 'views', 'web', 'zarr'],
  tiff: ['formats/tiff'],
  hdf5: ['formats/dmrpp', 'formats/hdf5', 'formats/hdf5-elements'],
  formats: ['formats'],
  service: ['service', 'verify'],
  joins: ['joins'],
  source: ['source'],
  server: ['library', 'manifests', 'routes', 'server'],
  others: [''],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Group = keyof typeof FOLDERS

/** Tests that take long, or look at their own process: each has one for itself. The longest come first. */
const ALONE = [
  'formats/hdf5/service',
  'hostile',
  'corpus',
  'every-source/every-source',
  'formats/tiff/corpus',
  'formats/hdf5/corpus',
  'fuzz/fuzz',
  'soak/soak',
  'budget/budget',
  'faults/matrix',
  'faults/replaced',
  'faults/damaged-chunks',
  'manifests/places',
  'manifests/restored',
  'server/command',
  'server/process',
  'source/soak',
  'architecture/request-path',
].map((name) => `${name}.test.ts`)

/** Clients in other languages and browsers have commands of their own. */
const ELSEWHERE = ['interop/', 'browser/', 'together/']

const ROOT = new URL('..', import.meta.url)

/** The files of a group, from `test`: each test belongs to the first group that has its folder. */
export function filesOf(group: Group): readonly string[] {
  const alone = aloneFiles()
  return testFiles().filter((file) => !alone.includes(file) && groupOf(file) === group)
}

/** Those named above, and those that can't be loaded at once. */
function aloneFiles(): readonly string[] {
  const known = new Map<string, boolean>()
  const waiting = testFiles().filter((file) => !ALONE.includes(file) && waitsWhenLoaded(new URL(file, ROOT), known))
  return [...ALONE, ...waiting]
}

function groupOf(file: string): Group {
  const groups = Object.keys(FOLDERS) as Group[]
  return (
    groups.find((group) => FOLDERS[group].some((folder) => folder === '' || file.startsWith(`${folder}/`))) ?? 'others'
  )
}

function testFiles(): readonly string[] {
  const files = globSync('**/*.test.ts', { cwd: fileURLToPath(ROOT) }).map((file) => file.replaceAll('\\', '/'))
  return files.filter((file) => !ELSEWHERE.some((folder) => file.startsWith(folder))).toSorted()
}

/** What `npm test` runs, each path in a process. */
export function processes(): readonly string[] {
  const groups = Object.keys(FOLDERS).map((group) => `together/${group}.test.ts`)
  return [...aloneFiles(), ...groups].map((file) => fileURLToPath(new URL(file, ROOT)))
}

/** What is run for some of the tests. */
export interface Selection {
  /** Each in a process. */
  readonly files: readonly string[]
  /** Those that share a process, by their paths from `test`. */
  readonly together: readonly string[]
}

/** The tests of folders and files, named from the working directory. Throws for a path without tests. */
export function selectTests(paths: readonly string[]): Selection {
  const root = fileURLToPath(ROOT)
  const all = globSync('**/*.test.ts', { cwd: root, exclude: ['together/**'] }).map((file) => file.split(sep).join('/'))
  const selected = new Set<string>()
  for (const path of paths) {
    const wanted = relative(root, resolve(path)).split(sep).join('/')
    const found = all.filter((file) => wanted === '' || file === wanted || file.startsWith(`${wanted}/`))
    if (found.length === 0) throw new Error(`${path}: there is no test file and no folder of tests of this name`)
    for (const file of found) selected.add(file)
  }
  const alone = aloneFiles()
  const shares = (file: string) => !alone.includes(file) && !ELSEWHERE.some((folder) => file.startsWith(folder))
  const together = [...selected].filter(shares).toSorted()
  const own = [...selected].filter((file) => !shares(file))
  const files = [...own, ...(together.length > 0 ? ['together/selected.test.ts'] : [])]
  return { files: files.map((file) => fileURLToPath(new URL(file, ROOT))), together }
}
