/** The folder that a document lies in, with a final `/` and without query: a query names one object, not its neighbours. */
export function folderOf(url: string): string {
  return new URL('.', url).href.replace(/[?#].*$/, '')
}

/** The URL of a key below a folder; each name is escaped, so that none can leave the folder or end the path. */
export function urlBelow(folder: string, key: string): string {
  return key === '' ? folder : folder + key.split('/').map(encodeURIComponent).join('/')
}

/** The URL of a folder below a folder, with a final `/`. */
export function folderBelow(folder: string, path: string): string {
  return path === '' ? folder : `${urlBelow(folder, path)}/`
}
