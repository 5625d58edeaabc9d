import type { ArrayInfo } from '../service/types.ts'

/** How one client reads a store, as code that is copied. */
export interface ClientSnippet {
  readonly client: string
  readonly code: string
}

interface SnippetInput {
  /** The store's URL without the final slash. */
  readonly url: string
  /** An array or a group of it. */
  readonly path: string
  /** Undefined for a group. */
  readonly array: ArrayInfo | undefined
}

/**
 * A text as a literal of Python, JavaScript and R alike: names come from files. JSON's escapes are those of all three; what is beyond
 * ASCII stands as it is but for separators that end a line.
 */
const quoted = (text: string) =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Quoted for a shell, in which nothing is expanded. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Paths in URLs. */
const inUrl = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** How each client reads a node of a store. */
export function snippetsOf({ url, path, array }: SnippetInput): readonly ClientSnippet[] {
  return array === undefined ? groupSnippets(url, path) : arraySnippets(url, path, array)
}

function groupSnippets(url: string, path: string): readonly ClientSnippet[] {
  const group = path === '' ? '' : `, group=${quoted(path)}`
  const at = path === '' ? url : `${url}/${inUrl(path)}`
  return [
    { client: 'xarray', code: `import xarray as xr\n\nds = xr.open_zarr(${quoted(url)}${group})\nprint(ds)` },
    {
      client: 'zarr-python',
      code: `import zarr\n\ngroup = zarr.open_group(${quoted(at)}, mode="r")\nprint(list(group.members()))`,
    },
    {
      client: 'zarrita',
      code: [
        'import * as zarr from "zarrita"',
        '',
        `const store = await zarr.withConsolidatedMetadata(new zarr.FetchStore(${quoted(at)}))`,
        'console.log(store.contents())',
      ].join('\n'),
    },
    { client: 'curl', code: `curl --compressed ${shellQuoted(`${at}/zarr.json`)}` },
  ]
}

function arraySnippets(url: string, path: string, { shape }: ArrayInfo): readonly ClientSnippet[] {
  const slash = path.lastIndexOf('/')
  const group = slash < 0 ? '' : `, group=${quoted(path.slice(0, slash))}`
  const at = path === '' ? url : `${url}/${inUrl(path)}`
  const corner = shape.map((length) => `:${Math.min(4, length)}`).join(', ') || '...'
  const xarray = [
    'import xarray as xr',
    '',
    `ds = xr.open_zarr(${quoted(url)}${group})`,
    `print(ds[${quoted(path.slice(slash + 1))}])`,
  ]
  return [
    ...(path === '' ? [] : [{ client: 'xarray', code: xarray.join('\n') }]),
    {
      client: 'zarr-python',
      code: `import zarr\n\narray = zarr.open_array(${quoted(at)}, mode="r")\nprint(array[${corner}])`,
    },
    {
      client: 'zarrita',
      code: [
        'import * as zarr from "zarrita"',
        '',
        `const array = await zarr.open(new zarr.FetchStore(${quoted(at)}), { kind: "array" })`,
        `const { data } = await zarr.get(array, [${shape.map((length) => `zarr.slice(${Math.min(4, length)})`).join(', ')}])`,
        'console.log(data)',
      ].join('\n'),
    },
    {
      client: 'tensorstore',
      code: [
        'import tensorstore as ts',
        '',
        `kvstore = {"driver": "http", "base_url": ${quoted(`${at}/`)}}`,
        'array = ts.open({"driver": "zarr3", "kvstore": kvstore}).result()',
        `print(array[${corner}].read().result())`,
      ].join('\n'),
    },
    {
      client: 'GDAL',
      code: `# GDAL 3.12 or newer\ngdalmdiminfo -detailed -limit 3 ${shellQuoted(`ZARR:"/vsicurl/${at}"`)}`,
    },
    {
      client: 'R',
      code: [
        'library(stars) # with GDAL 3.12 or newer',
        '',
        `array <- read_mdim(${rQuoted(`ZARR:"/vsicurl/${at}"`)})`,
        'print(array)',
      ].join('\n'),
    },
    { client: 'curl', code: `curl --compressed ${shellQuoted(`${at}/zarr.json`)}` },
  ]
}

/** R takes `"` with JSON's escapes, too. */
const rQuoted = quoted
