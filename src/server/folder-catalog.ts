import { folderDocumentsOf } from '../formats/registry.ts'
import { inParallel, READS_AT_ONCE } from '../in-parallel.ts'
import type { Catalog, Dataset } from '../service/catalog.ts'
import type { FolderWays } from '../service/open-folder.ts'
import { recognise } from '../service/recognise.ts'
import { shownSize } from './shown.ts'

/** More files than this are not looked at; `/resolve` opens them all the same. */
export const MOST_FILES = 1000
const MOST_DEPTH = 8
/** A page that is loaded again and again does not make the folder be read each time. */
const LEAST_MILLISECONDS = 2000

/** A file, or a folder that is one Zarr store, and what it is called. */
interface Candidate {
  readonly url: string
  readonly title: string
}

export interface FolderCatalog extends Catalog {
  /** Whether there are more files than were looked at. */
  readonly isCut: boolean
  refresh(): Promise<void>
}

/** The files in these folders (and these files) that are of a format that is read, beside the datasets of the configuration. */
export async function folderCatalog(
  urls: readonly string[],
  world: FolderWays,
  configured: Catalog,
): Promise<FolderCatalog> {
  const ids = new Map<string, string>()
  let datasets: ReadonlyMap<string, Dataset> = new Map()
  let isCut = false
  let last: { readonly at: number; readonly done: Promise<void> } | undefined

  async function look(): Promise<void> {
    const found = await candidatesIn(urls, world)
    isCut = found.length > MOST_FILES
    const known = new Map([...datasets.values()].map((dataset) => [dataset.sourceUrl, dataset]))
    const taken = new Set([...[...configured.values()].map(({ id }) => id), ...ids.values()])
    const candidates = found.slice(0, MOST_FILES)
    const recognised = await inParallel(candidates, READS_AT_ONCE, async ({ url }) =>
      known.has(url) ? undefined : await recognise(url, world, AbortSignal.timeout(10_000)),
    )
    // In the order of the files, not in that of the answers: the same folder has the same ids each time.
    const seen = candidates.flatMap(({ url, title }, at): readonly Dataset[] => {
      const before = known.get(url)
      if (before !== undefined) return [before]
      const file = recognised[at]
      if (file === undefined) return []
      // A file keeps its id: what was opened by it must not become another one.
      const id = ids.get(url) ?? uniqueId(title, taken)
      taken.add(id)
      ids.set(url, id)
      const description = url.endsWith('/') ? 'a folder' : shownSize(file.size)
      return [{ id, title, description, sourceUrl: url, options: new Map(), format: file.format }]
    })
    datasets = new Map(seen.map((dataset) => [dataset.id, dataset]))
  }

  function refresh(): Promise<void> {
    if (last === undefined || Date.now() - last.at > LEAST_MILLISECONDS) last = { at: Date.now(), done: look() }
    return last.done
  }

  await refresh()
  return {
    get: (id) => configured.get(id) ?? datasets.get(id),
    values: () => [...configured.values(), ...datasets.values()],
    refresh,
    get isCut() {
      return isCut
    },
  }
}

async function candidatesIn(urls: readonly string[], world: FolderWays): Promise<readonly Candidate[]> {
  const found: Candidate[] = []
  for (const url of urls) {
    const title = decodeURIComponent(new URL(url).pathname.replace(/\/$/, '').split('/').at(-1) ?? '')
    // Titles count from the folder that was named; several folders may hold files of the same name.
    if (url.endsWith('/')) await collect({ url, title: urls.length > 1 ? title : '' }, title, 0, world, found)
    else found.push({ url, title })
  }
  return found
}

/** Names are sorted as people count: `a2` before `a10`. */
const ORDER = new Intl.Collator('en', { numeric: true })

async function collect(
  folder: Candidate,
  name: string,
  depth: number,
  world: FolderWays,
  found: Candidate[],
): Promise<void> {
  // What may not be read, or is gone by now, is passed over; asked for by its URL, it says why.
  const names = (await world.sources.list(folder.url).catch(() => undefined)) ?? []
  if (await holdsDocument(folder.url, names, world)) {
    found.push({ url: folder.url, title: folder.title === '' ? name : folder.title })
    return
  }
  for (const entry of names.toSorted(ORDER.compare)) {
    if (found.length > MOST_FILES) return
    if (entry.startsWith('.')) continue
    const plain = entry.replace(/\/$/, '')
    const below = {
      url: folder.url + encodeURIComponent(plain) + (entry === plain ? '' : '/'),
      title: folder.title === '' ? plain : `${folder.title}/${plain}`,
    }
    if (entry === plain) found.push(below)
    else if (depth < MOST_DEPTH) await collect(below, plain, depth + 1, world, found)
  }
}

/** Whether a folder is a source itself; documents of some formats lie in folders of it. */
async function holdsDocument(folder: string, names: readonly string[], world: FolderWays): Promise<boolean> {
  for (const { name } of folderDocumentsOf(world.formats)) {
    const [first = '', ...others] = name.split('/')
    if (others.length === 0 && names.includes(first)) return true
    if (names.includes(`${first}/`) && (await isListed(`${folder}${first}/`, others, world))) return true
  }
  return false
}

async function isListed(folder: string, [name = '', ...rest]: readonly string[], world: FolderWays): Promise<boolean> {
  const names = (await world.sources.list(folder).catch(() => undefined)) ?? []
  if (rest.length === 0) return names.includes(name)
  return names.includes(`${name}/`) && (await isListed(`${folder}${name}/`, rest, world))
}

/** A title as a catalog id: lower-case ASCII, without slashes. */
function uniqueId(title: string, taken: ReadonlySet<string>): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
  const id = plain.replace(/[^a-z0-9._]+/g, '-').replace(/^[._-]+|-+$/g, '') || 'file'
  if (!taken.has(id)) return id
  let number = 2
  while (taken.has(`${id}-${number}`)) number++
  return `${id}-${number}`
}
