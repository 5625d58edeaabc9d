// GEN-11 and GUARD-5: references count from their document and can't leave its folder.

/** Where a reference leads, or why it leads nowhere. */
export type Resolved =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'refused'; readonly reason: string }

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const MOST_LENGTH = 8192

/** A URL as references spell it: absolute, a path beside the document, or (in a local document) a path of this machine. */
export function resolveReference(text: string, document: string): Resolved {
  if (text.length > MOST_LENGTH || !text.isWellFormed() || hasControls(text)) return refused('is no URL')
  if (text.includes('::')) return refused('chains file systems, which are not followed')
  if (SCHEME.test(text)) return absolute(text)
  if (text.startsWith('/')) return localPath(text, document)
  return beside(text, document)
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return text.trim() === ''
}

function absolute(text: string): Resolved {
  const location = OBJECT_STORE.exec(text)
  if (location !== null) return inStore(location)
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return refused('is no URL')
  return { kind: 'url', url: new URL(text).href }
}

/** A location of an object store, where these documents write keys as they are: fsspec unescapes nothing in them. */
const OBJECT_STORE = /^((?:s3|gs|az|abfss?):\/\/[^/?#]+\/)(.*?)(\?versionId=[\w.-]+)?$/is

function inStore([, place = '', key = '', version = '']: RegExpExecArray): Resolved {
  // fsspec keeps the account of Azure elsewhere, and what would stand in its place is a container.
  if (/^(?:az:|abfss?:\/\/[^@]*$)/i.test(place)) return refused('names no account')
  if (key.split('/').some((segment) => segment === '.' || segment === '..')) return refused('is no URL')
  return {
    kind: 'url',
    url: new URL(place + escaped(key.replaceAll('%', '%25')).replaceAll(' ', '%20') + version).href,
  }
}

/** A path of the machine where the document was made; beside a remote one there is no such machine. */
function localPath(text: string, document: string): Resolved {
  if (new URL(document).protocol !== 'file:') return refused('is a path of the machine that made it')
  return { kind: 'url', url: new URL(`file://${escaped(text)}`).href }
}

function beside(text: string, document: string): Resolved {
  const folder = new URL('.', document).href.replace(/[?#].*$/, '')
  const path = escaped(text)
  // A slash that is hidden in an escape means something to some origins only.
  if (/%(?:2f|5c)/i.test(path) || !URL.canParse(`./${path}`, folder)) return refused('is no path beside its document')
  const { href } = new URL(`./${path}`, folder)
  if (!href.startsWith(folder) || href === folder) return refused('leads out of the folder of its document')
  return { kind: 'url', url: href }
}

/** File names may hold what means something in a URL; escapes that are there already stay. */
function escaped(path: string): string {
  return path
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replaceAll('\\', '%5C')
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F')
}

function refused(reason: string): Resolved {
  return { kind: 'refused', reason }
}
