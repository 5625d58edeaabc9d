// Adds what needs a script to the landing page: copy buttons, and the answer of the form in place instead of as JSON.

import { mapSnippets } from './map-snippets.js'

/** An element with text (never markup) and children. */
function element(name, className, ...children) {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

function addCopyButton(target) {
  const text = (target.querySelector('code, a') ?? target).textContent.trim()
  const button = element('button', 'copy', 'Copy')
  button.type = 'button'
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Press Ctrl+C'
      getSelection().selectAllChildren(target.querySelector('code, a') ?? target)
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  const holder = target.closest('figure') ?? target
  holder.append(button)
}

function snippet(client, code) {
  const block = element('pre', '', element('code', '', code))
  const figure = element('figure', 'snippet', element('figcaption', '', client), block)
  addCopyButton(block)
  return figure
}

/** How to read one array; a path of '' is a store that is itself an array. Names are quoted: they come from the file. */
function snippets(url, path) {
  const at = path.lastIndexOf('/')
  const group = at < 0 ? '' : `, group=${JSON.stringify(path.slice(0, at))}`
  const python =
    path === ''
      ? snippet('zarr-python', `import zarr\n\narray = zarr.open_array("${url}", mode="r")\nprint(array[...])`)
      : snippet(
          'xarray',
          `import xarray as xr\n\nds = xr.open_zarr("${url}"${group})\nprint(ds[${JSON.stringify(path.slice(at + 1))}])`,
        )
  const javascript = [
    'import * as zarr from "zarrita"',
    '',
    `const store = zarr.root(new zarr.FetchStore("${url}"))`,
    `const array = await zarr.open(store.resolve(${JSON.stringify(path)}), { kind: "array" })`,
    'const { data, shape } = await zarr.get(array)',
  ]
  return [python, snippet('zarrita', javascript.join('\n')), snippet('curl', `curl --compressed "${url}/zarr.json"`)]
}

function storeLink(url) {
  const link = element('a', '', url)
  link.href = `${url}/`
  const line = element('p', 'url', link)
  addCopyButton(line)
  return line
}

function arrayTable(arrays) {
  const row = (cell, ...texts) => element('tr', '', ...texts.map((text) => element(cell, '', text)))
  const rows = arrays.map(([path, { shape, data_type: type, dimension_names: names }]) =>
    row('td', path, `(${shape.map((length, axis) => `${names?.[axis] ?? '?'}: ${length}`).join(', ')})`, String(type)),
  )
  return element('table', '', element('thead', '', row('th', 'Array', 'Shape', 'Type')), element('tbody', '', ...rows))
}

/** The array with most dimensions is the one to show first; a coordinate is named as one of its dimensions. */
function weight([path, { shape, dimension_names: names }]) {
  const isCoordinate = names?.includes(path.split('/').at(-1))
  return 2 * shape.length + (isCoordinate ? 0 : 1)
}

async function json(url) {
  const answer = await fetch(url)
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.detail ?? body.title ?? `The service answered ${answer.status}.`)
  return body
}

async function showStore(form, result) {
  const resolved = await json(`${form.action}?url=${encodeURIComponent(form.elements.url.value.trim())}`)
  const url = resolved.url.replace(/\/$/, '')
  const metadata = await json(`${url}/zarr.json`)
  const nodes = Object.entries(metadata.consolidated_metadata?.metadata ?? { '': metadata })
  const arrays = nodes.filter(([, node]) => node.node_type === 'array')
  const [widest] = arrays.toSorted((a, b) => weight(b) - weight(a))
  const pinned = storeLink(resolved.pinned.replace(/\/$/, ''))
  pinned.prepend('Pinned to this version of the file: ')
  result.replaceChildren(
    storeLink(url),
    pinned,
    arrayTable(arrays),
    ...(widest === undefined ? [] : snippets(url, widest[0])),
    ...mapSnippets(url, metadata).map(([client, code]) => snippet(client, code)),
  )
}

for (const target of document.querySelectorAll('[data-copy]')) addCopyButton(target)

const form = document.querySelector('[data-resolve]')
const result = document.querySelector('[data-result]')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  result.replaceChildren(element('p', '', 'Reading the metadata…'))
  try {
    await showStore(form, result)
  } catch (error) {
    result.replaceChildren(element('p', 'problem', error.message))
  }
})
