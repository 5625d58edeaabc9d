import type { ArrayInfo } from '../service/types.ts'
import { type KeyWords, WITH_KEY, WITHOUT_KEY } from './key-words.ts'

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
  /** Whether the service wants an API key: snippets take it from the environment. */
  readonly needsKey?: boolean
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
export function snippetsOf({ url, path, array, needsKey = false }: SnippetInput): readonly ClientSnippet[] {
  const key = needsKey ? WITH_KEY : WITHOUT_KEY
  return array === undefined ? groupSnippets(url, path, key) : arraySnippets(url, path, array, key)
}

/** Python that imports one package and does the rest. */
function python(key: KeyWords, packageImport: string, lines: readonly string[]): string {
  return [...key.pythonImport, packageImport, '', ...key.python, ...lines].join('\n')
}

function groupSnippets(url: string, path: string, key: KeyWords): readonly ClientSnippet[] {
  const group = path === '' ? '' : `, group=${quoted(path)}`
  const at = path === '' ? url : `${url}/${inUrl(path)}`
  return [
    {
      client: 'xarray',
      code: python(key, 'import xarray as xr', [
        `ds = xr.open_zarr(${quoted(url)}${group}${key.storageOptions})`,
        'print(ds)',
      ]),
    },
    {
      client: 'zarr-python',
      code: python(key, 'import zarr', [
        `group = zarr.open_group(${quoted(at)}, mode="r"${key.storageOptions})`,
        'print(list(group.members()))',
      ]),
    },
    {
      client: 'zarrita',
      code: [
        'import * as zarr from "zarrita"',
        '',
        `const store = await zarr.withConsolidatedMetadata(new zarr.FetchStore(${quoted(at)}${key.zarrita}))`,
        'console.log(store.contents())',
      ].join('\n'),
    },
    { client: 'curl', code: `curl --compressed${key.curl} ${shellQuoted(`${at}/zarr.json`)}` },
  ]
}

function arraySnippets(url: string, path: string, { shape }: ArrayInfo, key: KeyWords): readonly ClientSnippet[] {
  const at = path === '' ? url : `${url}/${inUrl(path)}`
  const corner = shape.map((length) => `:${Math.min(4, length)}`).join(', ') || '...'
  return [
    ...(path === '' ? [] : [xarraySnippet(url, path, key)]),
    {
      client: 'zarr-python',
      code: python(key, 'import zarr', [
        `array = zarr.open_array(${quoted(at)}, mode="r"${key.storageOptions})`,
        `print(array[${corner}])`,
      ]),
    },
    {
      client: 'zarrita',
      code: [
        'import * as zarr from "zarrita"',
        '',
        `const array = await zarr.open(new zarr.FetchStore(${quoted(at)}${key.zarrita}), { kind: "array" })`,
        `const { data } = await zarr.get(array, [${shape.map((length) => `zarr.slice(${Math.min(4, length)})`).join(', ')}])`,
        'console.log(data)',
      ].join('\n'),
    },
    {
      client: 'tensorstore',
      code: python(key, 'import tensorstore as ts', [
        `kvstore = {"driver": "http", "base_url": ${quoted(`${at}/`)}${key.tensorstore}}`,
        'array = ts.open({"driver": "zarr3", "kvstore": kvstore}).result()',
        `print(array[${corner}].read().result())`,
      ]),
    },
    ...gdalSnippets(at, key),
    { client: 'curl', code: `curl --compressed${key.curl} ${shellQuoted(`${at}/zarr.json`)}` },
  ]
}

function xarraySnippet(url: string, path: string, key: KeyWords): ClientSnippet {
  const slash = path.lastIndexOf('/')
  const group = slash < 0 ? '' : `, group=${quoted(path.slice(0, slash))}`
  const code = python(key, 'import xarray as xr', [
    `ds = xr.open_zarr(${quoted(url)}${group}${key.storageOptions})`,
    `print(ds[${quoted(path.slice(slash + 1))}])`,
  ])
  return { client: 'xarray', code }
}

function gdalSnippets(at: string, key: KeyWords): readonly ClientSnippet[] {
  const name = `ZARR:"/vsicurl/${at}"`
  return [
    {
      client: 'GDAL',
      code: `# GDAL 3.12 or newer\n${key.gdal}gdalmdiminfo -detailed -limit 3 ${shellQuoted(name)}`,
    },
    {
      client: 'R',
      // R takes `"` with JSON's escapes, too.
      code: [
        'library(stars) # with GDAL 3.12 or newer',
        '',
        ...key.r,
        `array <- read_mdim(${quoted(name)})`,
        'print(array)',
      ].join('\n'),
    },
  ]
}
