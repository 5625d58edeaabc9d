import { formatNames, formats } from '../formats/registry.ts'
import { JOIN_FORMATS } from './join-formats.ts'
import type { OptionName } from './store-options.ts'

/** What people are told of an option: on the command line, in the API's description. */
export interface OptionHelp {
  /** All there are, the default first; undefined where they can't be listed. */
  readonly values: readonly string[] | undefined
  /** What a value is, where they can't be listed. */
  readonly takes: string
  readonly meaning: string
  /** As JSON Schema has it, where that says more. */
  readonly shape?: { readonly pattern: string } | { readonly format: 'uri' }
}

function choice(values: readonly string[], meaning: string): OptionHelp {
  return { values, takes: values.join('|'), meaning }
}

function free(takes: string, meaning: string, shape?: OptionHelp['shape']): OptionHelp {
  return { values: undefined, takes, meaning, ...(shape === undefined ? {} : { shape }) }
}

/** Every option of a store; docs/options.md has more to say of each. */
export const OPTION_HELP: Readonly<Record<OptionName, OptionHelp>> = {
  codecs: choice(['portable', 'native', 'raw'], 'what clients are told to decode'),
  layout: choice(
    ['dataset', 'ifd', 'levels'],
    'of a TIFF: a dataset with coordinates, an array for each image, or a group for each overview level',
  ),
  group: free('PATH', 'serve that group as the root'),
  variables: free('A,B', 'only these arrays, and the coordinates they need'),
  format: choice(
    formatNames.filter(
      (name) => JOIN_FORMATS.some((joined) => joined === name) || formats.some((format) => format.name === name),
    ),
    'force the parser instead of looking at the first bytes',
  ),
  packing: choice(
    ['attributes', 'codecs', 'decoded'],
    'scale and offset as CF attributes, as codecs that clients apply, or applied here: floats, missing points NaN',
  ),
  missing: choice(
    ['cf', 'convention', 'fill', 'mask', 'strict'],
    'how missing values are declared; or `mask`: those that the mask of a TIFF leaves out become NaN',
  ),
  sentinel: choice(
    ['auto', 'warn', 'error'],
    "what happens to a missing-value marker that the array's type can't hold",
  ),
  null_fill: free('zero|extreme|refuse|NUMBER', 'what `fill_value: null` of Zarr v2 becomes', {
    pattern: '^(zero|extreme|refuse|[+-]?([0-9]+([.][0-9]*)?(e[+-]?[0-9]+)?|nan|inf))$',
  }),
  migrate_fill: choice(
    ['auto', 'always', 'never'],
    'whether the fill value of a Zarr v2 array also becomes `_FillValue`',
  ),
  version: free('ID', 'pin the store to one version of the source, as /resolve names it', {
    pattern: '^[A-Za-z0-9_-]{1,64}$',
  }),
  data: free('URL', 'the data file of a DMR++ sidecar, when it is not where the sidecar says', { format: 'uri' }),
  along: free('DIM', 'the dimension along which the files of a URL with {a..b}, {a,b} or * are joined'),
  assets: free('A,B', 'only these assets of a STAC Item, by their keys; without it those of data'),
  chunks: free('DIM:N,DIM:N', "another chunk grid than the source's", {
    pattern: '^[^,]+:[1-9][0-9]*(,[^,]+:[1-9][0-9]*)*$',
  }),
  select: free('DIM:A..B', 'a part by index, the end excluded; either side may be left out', {
    pattern: '^[^,]+:[0-9]*[.][.][0-9]*(,[^,]+:[0-9]*[.][.][0-9]*)*$',
  }),
  pyramid: choice(
    ['off', 'auto', 'mean', 'nearest'],
    'overviews of large rasters that lack them, made when they are asked for',
  ),
  inline: free(
    'auto|SIZE|A,B',
    'small arrays (auto: and coordinates), or those that are named, as one chunk each; exports hold their values',
  ),
  ref: free('NAME', 'of an Icechunk repository: the branch, tag or snapshot to read, instead of the branch `main`'),
}
