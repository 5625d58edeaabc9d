import { overLimit } from '../../errors.ts'
import { bracedSources } from './braces.ts'
import { type Glob, globOf } from './glob.ts'
import { chained, type SourceList, spelledOut } from './source-list.ts'
import { type FieldSpec, templateSources } from './template.ts'

/** One form in which a document names sources. */
export type SourceSpec =
  | { readonly kind: 'template'; readonly template: string; readonly fields: ReadonlyMap<string, FieldSpec> }
  | { readonly kind: 'list'; readonly urls: readonly string[] }
  /** With `{a..b}`, `{a,b}` and `*`. */
  | { readonly kind: 'pattern'; readonly pattern: string }

/** Sources of one join, opened or not. */
const MOST_SOURCES = 1_000_000

/** Lists the names in a folder, of files and (with a final `/`) of folders. */
export type ListFolder = (folder: string) => Promise<readonly string[]>

/** The sources that forms name, in their order; only globs ask the origin. */
export async function sourcesOf(specs: readonly SourceSpec[], list: ListFolder): Promise<SourceList> {
  const lists: SourceList[] = []
  let length = 0
  for (const spec of specs) {
    const sources = await listOf(spec, list)
    length += sources.length
    if (length > MOST_SOURCES) throw overLimit(`a join of more than ${MOST_SOURCES} sources`)
    lists.push(sources)
  }
  return chained(lists)
}

async function listOf(spec: SourceSpec, list: ListFolder): Promise<SourceList> {
  switch (spec.kind) {
    case 'template':
      return templateSources(spec.template, spec.fields)
    case 'list':
      return spelledOut(spec.urls)
    case 'pattern':
      return await matched(spec.pattern, list)
  }
}

/** Most globs that the braces of one pattern may stand for: each is a listing. */
const MOST_GLOBS = 1000

async function matched(pattern: string, list: ListFolder): Promise<SourceList> {
  const braced = bracedSources(pattern)
  if (!pattern.includes('*')) return braced
  if (braced.length > MOST_GLOBS)
    throw overLimit(`a pattern of ${braced.length} globs, at most ${MOST_GLOBS} are listed`)
  const folders = new Map<string, Promise<readonly string[]>>()
  const urls: string[] = []
  for (let position = 0; position < braced.length; position++) {
    const glob: Glob = globOf(braced.at(position))
    const names = folders.get(glob.folder) ?? list(glob.folder)
    folders.set(glob.folder, names)
    urls.push(...glob.matching(await names))
  }
  return spelledOut(urls)
}
