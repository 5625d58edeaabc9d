import { type Html, html } from './html.ts'

export interface DatasetCard {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly format: string
  readonly storeUrl: string
}

export interface LandingInput {
  readonly datasets: readonly DatasetCard[]
  /** The service's own address, without a final slash. */
  readonly publicUrl: string
  readonly version: string
}

export interface IndexInput {
  /** The page's own path as it was asked for: GDAL looks for it in the title. */
  readonly path: string
  /** Names below it, those of groups and arrays with a final slash. */
  readonly entries: readonly string[]
  readonly storeUrl: string
}

/** For a store whose arrays are not known yet; `copy.js` writes the like for a pasted source, with an array's name. */
const SNIPPETS = [
  { client: 'xarray', code: (url: string) => `import xarray as xr\n\nds = xr.open_zarr("${url}")\nprint(ds)` },
  {
    client: 'zarrita',
    code: (url: string) =>
      [
        'import * as zarr from "zarrita"',
        '',
        `const source = new zarr.FetchStore("${url}")`,
        'const store = await zarr.withConsolidatedMetadata(source)',
        'console.log(store.contents())',
      ].join('\n'),
  },
  { client: 'curl', code: (url: string) => `curl --compressed "${url}/zarr.json"` },
] as const

function snippet(client: string, code: string): Html {
  return html`<figure class="snippet"><figcaption>${client}</figcaption><pre data-copy><code>${code}</code></pre></figure>`
}

/** Without the final slash, as users write it, and without what would end or expand a quoted string in a snippet. */
function plainUrl(url: string): string {
  const encoded = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  return url.replace(/\/$/, '').replace(/["'\\$`\s]/g, encoded)
}

function card(dataset: DatasetCard, open: boolean): Html {
  const url = plainUrl(dataset.storeUrl)
  const snippets = SNIPPETS.map(({ client, code }) => snippet(client, code(url)))
  return html`
    <li class="card" id="${dataset.id}">
      <h3>${dataset.title} <span class="format">${dataset.format}</span></h3>
      <p>${dataset.description}</p>
      <p class="url" data-copy><a href="${url}/">${url}</a></p>
      <details${open ? ' open' : ''}><summary>Open it</summary>${snippets}</details>
    </li>`
}

function document(title: string, staticUrl: string, body: Html, scripts: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${staticUrl}/page.css">
${scripts}</head>
<body>
${body}
</body>
</html>
`.markup
}

/** The page at `/`: the catalog with copyable snippets, and a form that turns a source's URL into a store's URL. */
export function landingPage({ datasets, publicUrl, version }: LandingInput): string {
  const cards = datasets.map((dataset, at) => card(dataset, at === 0))
  const body = html`<header>
  <h1>virtual-zarr-server</h1>
  <p>Archival files, served as plain <a href="https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html">Zarr v3</a> over HTTP without converting them. The URL of a dataset below opens in any Zarr v3 client.</p>
  <nav aria-label="Service"><a href="datasets">Catalog (JSON)</a> <a href="docs">API</a> <a href="openapi.json">OpenAPI</a> <a href="health/ready">Health</a></nav>
</header>
<main>
  <section aria-labelledby="own">
    <h2 id="own">Your own file</h2>
    <form action="resolve" method="get" data-resolve>
      <label for="url">URL of a file</label>
      <div class="row">
        <input id="url" name="url" type="url" required placeholder="https://example.org/data.nc" autocomplete="off" spellcheck="false">
        <button type="submit">Get its store</button>
      </div>
    </form>
    <div data-result aria-live="polite"></div>
    <noscript>${snippet('curl', `curl --get '${plainUrl(publicUrl)}/resolve' --data-urlencode 'url=https://example.org/data.nc'`)}</noscript>
  </section>
  <section aria-labelledby="catalog">
    <h2 id="catalog">Datasets</h2>
    <ul class="cards">${cards.length > 0 ? cards : html`<li>The catalog is empty.</li>`}</ul>
  </section>
</main>
<footer>virtual-zarr-server ${version}</footer>`
  const script = html`<script type="module" src="static/copy.js"></script>\n`
  return document('virtual-zarr-server', 'static', body, script)
}

/** What would end the attribute, or mean something else in a URL. The rest stays: fsspec takes a link for the name as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among what is escaped
const ESCAPED_IN_LINK = /[%"'<>&#?:\\\u0000-\u001f\u007f]/g

function entryLink(name: string): Html {
  const href = name.replace(ESCAPED_IN_LINK, encodeURIComponent).replaceAll("'", '%27')
  return html`<li><a href="${href}">${name}</a></li>\n`
}

/**
 * What a folder of a store holds. Two clients read it by rule: fsspec takes every link for an entry (so there is no link
 * home, and no store URL that looks like an entry), GDAL wants `Index of` and the path as title, and one link a line.
 */
export function indexPage({ path, entries, storeUrl }: IndexInput): string {
  const url = plainUrl(storeUrl)
  const service = url.slice(0, Math.max(0, url.lastIndexOf('/zarr/')))
  const body = html`<header>
<h1>Index of ${path}</h1>
<p>A folder of the Zarr v3 store <code>${url}</code></p>
</header>
<main>
<ul class="index">
${entries.map(entryLink)}</ul>
</main>`
  return document(`Index of ${path}`, `${service}/static`, body, html``)
}
