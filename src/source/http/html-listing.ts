import { turn } from '../../turns.ts'

/**
 * The names in a folder index as web servers write it (nginx, Apache, lighttpd, Caddy, python's and Go's file servers):
 * links directly below the folder, those of folders with a final `/`. Undefined when the page is none.
 */
export async function readHtmlListing(html: string, folder: URL): Promise<readonly string[] | undefined> {
  if (/type\s*=\s*["']?password/i.test(html)) return undefined
  const names = new Set<string>()
  let strangers = 0
  for (const href of hrefsOf(html)) {
    const wait = turn()
    if (wait !== undefined) await wait
    const link = judgeLink(decodeEntities(href), folder)
    if (link.kind === 'child') names.add(link.name)
    else if (link.kind === 'stranger') strangers++
  }
  if (!hasSigns(html) && (names.size === 0 || strangers > 0)) return undefined
  return [...names].sort()
}

const HEADING = /<(?:title|h1)[^>]{0,200}>\s{0,200}(?:index of|directory listing (?:for|of)|listing directory)/i
const EMPTY_GO_LISTING = /^\s*(?:<!doctype html>\s*)?(?:<meta[^>]{0,200}>\s*)?<pre>\s*<\/pre>\s*$/i
const HREF = /\bhref\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/** Marks that hold for a folder without names, too. The page is not ours: only short texts meet a regular expression. */
function hasSigns(html: string): boolean {
  if (HEADING.test(html.slice(0, 4096)) || html.includes('https://caddyserver.com')) return true
  return html.length < 1024 && EMPTY_GO_LISTING.test(html)
}

function* hrefsOf(html: string): Generator<string> {
  let end = 0
  for (const { index: at } of html.matchAll(/<a\s/gi)) {
    if (at < end) continue
    end = html.indexOf('>', at)
    if (end === -1) return
    const [, double, single, bare] = HREF.exec(html.slice(at, Math.min(end, at + 8192))) ?? []
    const href = double ?? single ?? bare
    if (href !== undefined) yield href
  }
}

type Link =
  | { readonly kind: 'child'; readonly name: string }
  /** The folder itself, one above it, another order of the same list. */
  | { readonly kind: 'navigation' }
  | { readonly kind: 'stranger' }

function judgeLink(href: string, folder: URL): Link {
  const url = URL.parse(href, folder.href)
  if (url?.origin !== folder.origin) return { kind: 'stranger' }
  if (folder.pathname.startsWith(url.pathname)) return { kind: 'navigation' }
  if (!url.pathname.startsWith(folder.pathname)) return { kind: 'stranger' }
  if (url.search !== '' || url.hash !== '') return { kind: 'navigation' }
  const rest = url.pathname.slice(folder.pathname.length)
  const name = decodedName(rest.replace(/\/$/, ''))
  if (name === undefined) return { kind: 'stranger' }
  return { kind: 'child', name: rest.endsWith('/') ? `${name}/` : name }
}

/** A name of one path segment; undefined for what could lead elsewhere. */
function decodedName(encoded: string): string | undefined {
  if (encoded === '' || encoded.includes('/')) return undefined
  try {
    const name = decodeURIComponent(encoded)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return /[/\\\u0000-\u001f]/.test(name) || name === '.' || name === '..' ? undefined : name
  } catch {
    return undefined // not UTF-8
  }
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(String(name).toLowerCase()) ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
