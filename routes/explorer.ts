import { type Html, html } from './html.ts'

interface DatasetCard {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly format: string
}

export interface ExplorerInput {
  /** The built page; its script takes the place of what stands between the marks. */
  readonly shell: string
  readonly tiles?: string | undefined
  readonly datasets: readonly DatasetCard[]
  readonly version: string
  /** What stands in it until its script runs: the catalog, unless the address names something to open, or who asks brought no key. */
  readonly shows: 'catalog' | 'opening' | 'locked'
}

/** In web/index.html: what is between them is shown until the script runs, and without one. */
const CONTENT = '<!--content-->'
const VERSION = '<!--version-->'

/** A page for a checkout whose explorer is not built. */
export const UNBUILT_SHELL = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>virtual-zarr</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="static/page.css"></head>
<body><header><h1>virtual-zarr</h1><p>The explorer is not built: <code>npm run build:web</code> does that.</p></header>
<main>${CONTENT}</main><footer>${VERSION}</footer></body>
</html>
`

const WORDS = { opening: 'Opening…', locked: 'This service is open to those who have a key.' } as const

/** The page at `/`: the catalog stands in it as plain links, so that it is seen at once, and without a script. */
export function explorerPage({ shell, tiles, datasets, version, shows }: ExplorerInput): string {
  const content = shows === 'catalog' ? catalog(datasets) : html`<p class="opening" role="status">${WORDS[shows]}</p>`
  const meta = tiles === undefined ? '' : html`<meta name="tiles" content="${tiles}">\n`.markup
  return shell
    .replace('</head>', () => `${meta}</head>`)
    .replace(CONTENT, () => content.markup)
    .replace(VERSION, () => html`${version}`.markup)
}

function catalog(datasets: readonly DatasetCard[]): Html {
  if (datasets.length === 0) return html`<p class="empty">The catalog is empty.</p>`
  return html`<ul class="cards">${datasets.map(card)}</ul>`
}

/** Of the same shape as the script's own (web/src/home/card.tsx), so that nothing moves when that takes over. */
function card({ id, title, description, format }: DatasetCard): Html {
  return html`<li class="card"><a href="?source=${id}"><span class="thumb"></span><span class="card-text"><span class="card-head"><strong>${title}</strong><span class="tag">${format}</span></span><span class="card-about">${description}</span></span></a></li>`
}
