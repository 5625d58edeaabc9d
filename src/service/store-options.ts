import type { Profile } from '../delivery/delivery.ts'
import { invalidRequest, unsupported } from '../errors.ts'
import { DEFAULT_PARSE_OPTIONS, OWN_FORMAT, type ParseOptions } from '../formats/format.ts'
import { formatNames, formats } from '../formats/registry.ts'
import { parseSourceUrl } from '../source/source-url.ts'
import type { InlineChoice } from '../views/inline.ts'
import type { DimensionRange } from '../views/select.ts'
import { readInline } from './inline-option.ts'
import { JOIN_FORMATS } from './join-formats.ts'
import { readChunks, readSelect, selectText } from './view-options.ts'

/** What a store's URL chooses: OPT-1. */
export interface StoreOptions {
  readonly codecs: Profile
  readonly packing: 'attributes' | 'codecs' | 'decoded'
  readonly missing: 'cf' | 'convention' | 'fill' | 'mask' | 'strict'
  readonly group: string | undefined
  readonly variables: readonly string[] | undefined
  /** Forces the parser. */
  readonly format: string | undefined
  /** Pins the store to one version of the source. */
  readonly version: string | undefined
  /** The dimension along which the files of a pattern are joined. */
  readonly along: string | undefined
  /** Files of STAC Items that are read, by their keys. */
  readonly assets: readonly string[] | undefined
  /** Lengths of chunks, by dimension. */
  readonly chunks: ReadonlyMap<string, number> | undefined
  /** The part of each dimension that is served. */
  readonly select: ReadonlyMap<string, DimensionRange> | undefined
  /** Arrays that are one chunk, and whose values exports hold. */
  readonly inline: InlineChoice | undefined
  readonly pyramid: 'off' | 'auto' | 'mean' | 'nearest'
  readonly parse: ParseOptions
}

/** Options as given, by name, in any order. */
export type OptionTexts = ReadonlyMap<string, string>

type Reader<T> = (text: string, name: string) => T

function oneOf<const T extends string>(values: readonly T[]): Reader<T> {
  return (text, name) => {
    const known = values.find((value) => value === text)
    if (known === undefined) throw badValue(name, text, values.join(', '))
    return known
  }
}

function badValue(name: string, text: string, allowed: string): Error {
  return invalidRequest(`option ${name} is ${JSON.stringify(text.slice(0, 100))}, allowed: ${allowed}`, {
    option: name,
  })
}

/** "/" is the root, as xarray spells it. */
const readGroup: Reader<string | undefined> = (text, name) => {
  const path = withoutEndSlashes(text)
  if (path === '' && text !== '') return undefined
  const bad = path.split('/').some((part) => part === '' || part === '.' || part === '..')
  if (bad || path.length > 1024) throw badValue(name, text, 'the path of a group')
  return path
}

function withoutEndSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '')
}

const readVariables: Reader<readonly string[]> = (text, name) => {
  const names = text.split(',').map((part) => withoutEndSlashes(part.trim()))
  if (names.length > 1000 || names.some((part) => part === ''))
    throw badValue(name, text, 'names of arrays, separated by commas')
  return names
}

const readNullFill: Reader<ParseOptions['nullFill']> = (text, name) => {
  if (text === 'zero' || text === 'extreme' || text === 'refuse') return text
  if (!/^[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|nan|inf(?:inity)?)$/i.test(text)) {
    throw badValue(name, text, 'zero, extreme, refuse, a number')
  }
  return { text }
}

const readVersion: Reader<string> = (text, name) => {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(text)) throw badValue(name, text, 'a version id')
  return text
}

const readFormat: Reader<string> = (text, name) => {
  if (JOIN_FORMATS.some((format) => format === text) || formats.some((format) => format.name === text)) return text
  // Whether there is one of that name shows when a source is opened.
  if (text.startsWith(OWN_FORMAT) && text.length <= 64) return text
  if (formatNames.includes(text))
    throw unsupported(`format ${text}`, `the format ${text} is not built yet`, { option: name })
  throw badValue(name, text, formatNames.join(', '))
}

const readData: Reader<string> = (text, name) => {
  const isKnown = URL.canParse(text) && /^(?:https?|s3|gs|az|abfss?|file):/i.test(text)
  if (!isKnown || text.length > 4096) throw badValue(name, text, 'an absolute URL')
  return parseSourceUrl(text).href
}

const readRef: Reader<string> = (text, name) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name has them
  if (text === '' || text.length > 512 || /[\u0000-\u001f]/.test(text))
    throw badValue(name, text, 'a branch, a tag or a snapshot')
  return text
}

/** Snapshots of Icechunk, whose names are versions: a store that is pinned to one is read from it. */
function snapshotOf(version: string | undefined): string | undefined {
  return version !== undefined && /^[0-9A-HJKMNP-TV-Z]{20}$/.test(version) ? version : undefined
}

const readDimension: Reader<string> = (text, name) => {
  if (text === '' || text.length > 256) throw badValue(name, text, 'the name of a dimension')
  return text
}

/** Every option there is, with how it is read. An option that is not built yet is refused, never ignored. */
const READERS = {
  codecs: oneOf(['portable', 'native', 'raw']),
  layout: oneOf(['dataset', 'ifd', 'levels']),
  group: readGroup,
  variables: readVariables,
  format: readFormat,
  packing: oneOf(['attributes', 'codecs', 'decoded']),
  missing: oneOf(['cf', 'convention', 'fill', 'mask', 'strict']),
  sentinel: oneOf(['auto', 'warn', 'error']),
  null_fill: readNullFill,
  migrate_fill: oneOf(['auto', 'always', 'never']),
  version: readVersion,
  data: readData,
  along: readDimension,
  assets: readVariables,
  chunks: readChunks,
  select: readSelect,
  pyramid: oneOf(['off', 'auto', 'mean', 'nearest']),
  inline: readInline,
  ref: readRef,
} as const

export type OptionName = keyof typeof READERS

export const OPTION_NAMES: readonly string[] = Object.keys(READERS)

/** Reads and checks options; what is wrong is refused by name. */
export function parseStoreOptions(texts: OptionTexts): StoreOptions {
  for (const name of texts.keys()) {
    if (!OPTION_NAMES.includes(name)) {
      throw invalidRequest(
        `unknown option ${JSON.stringify(name.slice(0, 100))}, allowed: ${OPTION_NAMES.join(', ')}`,
        {
          option: name.slice(0, 100),
        },
      )
    }
  }
  const read = <Name extends keyof typeof READERS>(name: Name): ReturnType<(typeof READERS)[Name]> | undefined => {
    const text = texts.get(name)
    return text === undefined ? undefined : (READERS[name](text, name) as ReturnType<(typeof READERS)[Name]>)
  }
  const missing = read('missing') ?? 'cf'
  return {
    codecs: read('codecs') ?? 'portable',
    packing: read('packing') ?? 'attributes',
    missing,
    group: read('group'),
    variables: read('variables'),
    format: read('format'),
    version: read('version'),
    along: read('along'),
    assets: read('assets'),
    chunks: read('chunks'),
    select: read('select'),
    pyramid: read('pyramid') ?? 'off',
    inline: read('inline'),
    parse: {
      layout: read('layout') ?? DEFAULT_PARSE_OPTIONS.layout,
      sentinel: read('sentinel') ?? DEFAULT_PARSE_OPTIONS.sentinel,
      // V2-2: the letter of the conventions invents no value.
      nullFill: read('null_fill') ?? (missing === 'strict' ? 'refuse' : DEFAULT_PARSE_OPTIONS.nullFill),
      migrateFill: read('migrate_fill') ?? DEFAULT_PARSE_OPTIONS.migrateFill,
      data: read('data'),
      ref: read('ref'),
      snapshot: snapshotOf(read('version')),
    },
  }
}

/** The part of the options that decides how the source is read: stores that share it share one parse. */
export function parseKeyOf(options: StoreOptions): string {
  return JSON.stringify([options.format ?? null, options.along ?? null, options.assets ?? null, options.parse])
}

/** The rest: which store is made of what was read. */
export function viewKeyOf(options: StoreOptions): string {
  return JSON.stringify([
    options.codecs,
    options.packing,
    options.missing,
    options.group ?? null,
    options.variables ?? null,
    [...(options.chunks ?? [])],
    selectText(options.select),
    options.pyramid,
    options.inline ?? null,
  ])
}
