import { type Html, html } from './html.ts'

export interface IndexInput {
  /** The page's own path as it was asked for: GDAL looks for it in the title. */
  readonly path: string
  /** Names below it, those of groups and arrays with a final slash. */
  readonly entries: readonly string[]
  readonly storeUrl: string
  /** Whether the client is GDAL, which puts links into URLs as they are, and whose libcurl refuses a URL with a blank in it. */
  readonly isForGdal?: boolean | undefined
}

/** Without the final slash, as users write it, and without what would end or expand a quoted string in a shell. */
function plainUrl(url: string): string {
  const encoded = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  return url.replace(/\/$/, '').replace(/["'\\$`\s]/g, encoded)
}

/** What would end the attribute, or mean something else in a URL. The rest stays: fsspec takes a link for the name as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among what is escaped
const ESCAPED_IN_LINK = /[%"'<>&#?:\\\u0000-\u001f\u007f]/g

function entryLink(name: string, isForGdal: boolean): Html {
  const escaped = name.replace(ESCAPED_IN_LINK, encodeURIComponent).replaceAll("'", '%27')
  const href = isForGdal ? escaped.replaceAll(' ', '%20') : escaped
  return html`<li><a href="${href}">${name}</a></li>\n`
}

/**
 * What a folder of a store holds. Two clients read it by rule: fsspec takes every link for an entry (so there is no link
 * home, and no store URL that looks like an entry), GDAL wants `Index of` and the path as title, and one link a line. The way to the
 * explorer is a form, which neither of them looks at.
 */
export function indexPage({ path, entries, storeUrl, isForGdal = false }: IndexInput): string {
  const url = plainUrl(storeUrl)
  const at = Math.max(0, url.lastIndexOf('/zarr/'))
  const service = url.slice(0, at)
  const store = url.slice(at + '/zarr/'.length)
  const body = html`<header>
<h1>Index of ${path}</h1>
<p>A folder of the Zarr v3 store <code>${url}</code></p>
<form action="${service}/" method="get"><input type="hidden" name="store" value="${store}"><button type="submit">Open in the explorer</button></form>
</header>
<main>
<ul class="index">
${entries.map((name) => entryLink(name, isForGdal))}</ul>
</main>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Index of ${path}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${service}/static/page.css">
</head>
<body>
${body}
</body>
</html>
`.markup
}
