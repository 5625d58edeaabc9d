import { unsupported } from '../../errors.ts'

/** A pattern whose last part holds `*`: the folder to list, and which of its names are meant. */
export interface Glob {
  readonly folder: string
  /** The URLs of names that the folder lists, in order: numbers in names count by their value. Folders where no file matches. */
  matching(names: readonly string[]): readonly string[]
}

/** Reads a URL with `*` (any characters but `/`) and `?`-less last part. With a final `/` it stands for folders only, as Zarr has them. */
export function globOf(url: string): Glob {
  const isOfFolders = url.endsWith('/')
  const last = isOfFolders ? url.slice(0, -1) : url
  const slash = last.lastIndexOf('/') + 1
  const folder = last.slice(0, slash)
  const pattern = last.slice(slash)
  if (folder.includes('*')) {
    throw unsupported(
      'globs of folders',
      `* stands for characters of a file's name, not of a folder's: ${url.slice(0, 200)}`,
    )
  }
  const matches = matcherOf(pattern.split('*'))
  return {
    folder,
    matching: (names) => {
      const urls = (list: readonly string[]) =>
        list
          .filter((name) => matches(name))
          .sort(byNumbers)
          .map((name) => folder + encodeURIComponent(name))
      const files = isOfFolders ? [] : urls(names)
      if (files.length > 0) return files
      const folders = names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1))
      return urls(folders).map((each) => `${each}/`)
    },
  }
}

/** Piece by piece, and not as a regular expression: its time is bounded whatever the pattern. */
function matcherOf(pieces: readonly string[]): (name: string) => boolean {
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  return (name) => {
    if (!name.startsWith(first) || name.endsWith('/')) return false
    let at = first.length
    for (const piece of pieces.slice(1, -1)) {
      const found = name.indexOf(piece, at)
      if (found === -1) return false
      at = found + piece.length
    }
    return name.length - last.length >= at && name.endsWith(last)
  }
}

/** `run_2` before `run_10`: numbers by their value, everything else by its characters. */
function byNumbers(one: string, other: string): number {
  const [a, b] = [one, other].map((name) => name.match(/\d+|\D+/g) ?? [])
  for (let place = 0; place < Math.min(a?.length ?? 0, b?.length ?? 0); place++) {
    const [left, right] = [a?.[place] ?? '', b?.[place] ?? '']
    const order = /^\d/.test(left) && /^\d/.test(right) ? compareNumbers(left, right) : compare(left, right)
    if (order !== 0) return order
  }
  return (a?.length ?? 0) - (b?.length ?? 0) || compare(one, other)
}

function compareNumbers(left: string, right: string): number {
  const [a, b] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')]
  return a.length - b.length || compare(a, b)
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
