import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import type { Format } from '../../src/formats/format.ts'
import { FlatBuffer } from '../../src/formats/icechunk/flat-buffer.ts'
import { idText } from '../../src/formats/icechunk/object-id.ts'
import { manifestLengths } from '../../src/formats/icechunk/snapshot.ts'
import { folderDocumentsOf, formats } from '../../src/formats/registry.ts'
import { CORPUS, CORPUS_ABSENT } from '../corpus/golden.ts'
import { buildZip } from '../formats/zarr/build-zip.ts'

/** A source with all that it is made of: what is attacked by damage or by faults. */
export interface TestSource {
  readonly format: string
  readonly name: string
  /** The file, or the folder with a final slash, that is the source. */
  readonly source: string
  /** What it is made of, by path. */
  members(): Readonly<Record<string, Uint8Array>>
  /** What an origin holds of these members, where that is something else. */
  pack?(members: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, Uint8Array>>
}

const FIXTURES = new URL('../fixtures/', import.meta.url)
/** Folders of fixtures and of the corpora, of formats that have others than that of their name. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = { tiff: ['tiff/', 'tiff-stacks/'] }

/** Documents that make a folder a source. */
const FOLDER_DOCUMENTS = folderDocumentsOf().map(({ name }) => name)

/** How fixtures and corpora are made and what they hold. */
const ABOUT = /^golden.*\.json$|\.(?:py|jsonl|f32|md|txt|sh)$/
const MOST_BYTES = 4 * 2 ** 20

/** Every source of the fixtures, of every format that is built. */
export function fixtureSources(): TestSource[] {
  return formats.flatMap((format) => sourcesOf(format, FIXTURES, ''))
}

/** Every source of the corpora, where they are on this machine. */
export function corpusSources(): TestSource[] {
  return CORPUS_ABSENT === false ? formats.flatMap((format) => sourcesOf(format, CORPUS, 'corpus/')) : []
}

function sourcesOf({ name }: Format, root: URL, prefix: string): TestSource[] {
  const folders = (FOLDERS[name] ?? [`${name}/`]).filter((folder) => existsSync(new URL(folder, root)))
  return folders.flatMap((folder) => sourcesBelow(new URL(folder, root), name, prefix + folder))
}

/** What else a folder may be made into, by format. */
const OTHER_FORMS: Readonly<Record<string, (source: TestSource) => TestSource>> = {
  zarr: zipped,
  icechunk: uncompressed,
}

function sourcesBelow(folder: URL, format: string, name: string): TestSource[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  const read = (paths: readonly string[]) => () =>
    Object.fromEntries(paths.map((path) => [path, new Uint8Array(readFileSync(below(folder, path)))]))
  if (FOLDER_DOCUMENTS.some((path) => existsSync(new URL(path, folder)))) {
    const whole = { format, name, source: '', members: read(pathsBelow(folder)) }
    const other = OTHER_FORMS[format]
    return other === undefined ? [whole] : [whole, other(whole)]
  }
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => sourcesBelow(below(folder, `${entry.name}/`), format, `${name}${entry.name}/`))
  if (names.includes('ref.json')) {
    return [{ format, name: `${name}ref.json`, source: 'ref.json', members: read(pathsBelow(folder)) }]
  }
  // What lies beside a file and is named after it belongs to it: what a sidecar or a document of references is about.
  const beside = (file: string) => names.filter((other) => stemOf(other) === stemOf(file) && !ABOUT.test(other))
  const files = names.filter((file) => isSource(file, format) && statSync(below(folder, file)).size <= MOST_BYTES)
  return [...files.map((file) => ({ format, name: name + file, source: file, members: read(beside(file)) })), ...inner]
}

function isSource(file: string, format: string): boolean {
  if (ABOUT.test(file)) return false
  // Beside those of other formats lies what is known of them.
  // Beside repositories lie earlier states of some of their files.
  if (format === 'icechunk') return false
  return format === 'kerchunk' ? file.endsWith('.json') : !file.endsWith('.json')
}

function stemOf(file: string): string {
  return /^[^.]+/.exec(file)?.[0] ?? file
}

/** Names may hold what URLs escape. */
function below(folder: URL, path: string): URL {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), folder)
}

function pathsBelow(folder: URL, prefix = ''): string[] {
  return readdirSync(below(folder, prefix), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? pathsBelow(folder, `${prefix}${entry.name}/`) : [prefix + entry.name],
  )
}

/** The same repository without compression: damage reaches what its files say, and not only the streams around it. */
function uncompressed({ format, name, members }: TestSource): TestSource {
  const all = () => {
    const plain = new Map(Object.entries(members()).map(([path, bytes]) => [path, plainFile(path, bytes)]))
    const manifests = [...plain].filter(([path]) => path.startsWith('manifests/'))
    const snapshots = [...plain].filter(([path]) => path.startsWith('snapshots/'))
    for (const [, snapshot] of snapshots) for (const [path, { length }] of manifests) tellLength(snapshot, path, length)
    return Object.fromEntries(plain)
  }
  return { format, name: `${name} uncompressed`, source: '', members: all }
}

function plainFile(path: string, bytes: Uint8Array): Uint8Array {
  if (!/^(?:repo$|snapshots\/|manifests\/)/.test(path)) return bytes
  const header = bytes.slice(0, 39)
  header[38] = 0
  return Buffer.concat([header, zstdDecompressSync(bytes.subarray(39))])
}

/** Snapshots tell how long their manifests are. */
function tellLength(snapshot: Uint8Array, manifest: string, length: number): void {
  const bytes = Buffer.from(snapshot.buffer, snapshot.byteOffset + 39)
  const content = new FlatBuffer(bytes, { url: 'snapshot', format: 'icechunk' })
  for (const { id, size } of manifestLengths(content, content.root())) {
    if (idText(content.struct(id, 12)) === manifest.slice('manifests/'.length))
      bytes.writeBigUInt64LE(BigInt(length), size)
  }
}

/** The same store in an archive. */
function zipped({ format, name, members }: TestSource): TestSource {
  const pack: TestSource['pack'] = (content) => ({
    'store.zip': buildZip(
      Object.entries(content).map(([path, bytes], place) => ({
        name: path,
        content: bytes,
        deflated: place % 2 === 0,
      })),
    ),
  })
  return { format, name: `${name} in an archive`, source: 'store.zip', members, pack }
}
