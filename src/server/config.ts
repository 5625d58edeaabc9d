import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse as parseYaml } from 'yaml'
import { isVirtualZarrError } from '../errors.ts'
import { type RedisAddress, redisAddress } from '../manifests/redis/redis-address.ts'
import type { Catalog } from '../service/catalog.ts'
import { type OptionTexts, parseStoreOptions } from '../service/store-options.ts'
import type { CloudSettings } from '../source/clouds/settings.ts'
import { parseUrlPrefix } from '../source/url-prefix.ts'
import { type AccessSettings, readAccess } from './access/settings.ts'
import { type ProxyTrust, readProxyTrust } from './access/trusted-proxies.ts'
import { readCatalog } from './catalog-file.ts'
import { readCloudSettings } from './cloud-settings.ts'
import { ConfigError } from './config-error.ts'
import { flagOf, SETTINGS } from './settings.ts'
import { readTracing, type TracingSettings } from './tracing/settings.ts'

/** All settings of the process, validated and frozen: SET-1. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly allowSources: readonly string[]
  readonly denySources: readonly string[]
  readonly onlySources: readonly string[]
  readonly fileRoots: readonly string[]
  /** Processes that answer on the one port. */
  readonly workers: number
  readonly cacheBytes: number
  readonly freshSeconds: number
  readonly maxWholeBytes: number
  /** Where opened stores outlive the process; undefined: nowhere. */
  readonly manifestFolder: string | undefined
  readonly manifestBytes: number
  /** A server where they do, too. */
  readonly redis: RedisAddress | undefined
  readonly clouds: CloudSettings
  readonly logLevel: string
  readonly publicUrl: string | undefined
  readonly trustProxy: ProxyTrust
  readonly access: AccessSettings
  /** Where traces go; undefined: nowhere, and nothing of it is loaded. */
  readonly tracing: TracingSettings | undefined
  /** Memory beyond which the service is not ready; undefined: what the container says. */
  readonly readyBytes: number | undefined
  /** A template of URLs, and behind a blank what is written on maps. */
  readonly tiles: string | undefined
  /** Options of stores whose URL doesn't give them. */
  readonly defaultOptions: OptionTexts
  readonly allowPostedJoins: boolean
  readonly allowVerify: boolean
  /** Files of modules that export formats. */
  readonly formats: readonly string[]
  readonly catalog: Catalog
  /** URLs of the folders and files whose content is listed beside the catalog. */
  readonly folders: readonly string[]
}

/** Settings by their own names, as text. */
type Settings = ReadonlyMap<string, string>

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const BUILT = SETTINGS.map(({ key }) => key)

/** The names that flags and the configuration file know. */
export const SETTING_FLAGS: readonly string[] = BUILT.map(flagOf)

/** Where settings come from, the strongest first: flags, environment, file. */
export interface ConfigSources {
  /** By flag name without dashes in front. */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The catalog of bundled examples, served when the configuration names no datasets of its own. */
  readonly bundledCatalog: string | undefined
  /** Folders and files to serve, in the place of the examples. */
  readonly paths?: readonly string[]
  /** Where opened stores are persisted when no setting says where; an empty VZ_MANIFEST_DIR says nowhere. */
  readonly defaultManifestFolder?: string | undefined
}

/** The one place where the environment is read. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env
}

/** Reads and checks the configuration; throws a ConfigError that names the key. */
export function readConfig(sources: ConfigSources): Config {
  const settings = new Map<string, string>()
  const set = (key: string, text: string | undefined) => {
    if (text === undefined || (text === '' && key !== 'VZ_MANIFEST_DIR')) return
    if (!BUILT.includes(key)) throw new ConfigError(key, `there is no such setting; known are ${BUILT.join(', ')}`)
    settings.set(key, text)
  }
  const configPath = sources.flags['config'] || sources.environment['VZ_CONFIG']
  const file = configPath ? readConfigFile(configPath) : undefined
  for (const [name, value] of Object.entries(file?.settings ?? {}))
    set(keyOf(name), besideFile(keyOf(name), textOf(name, value), file))
  for (const [key, text] of Object.entries(sources.environment)) {
    if (key.startsWith('VZ_') || key === 'HOST' || key === 'PORT') set(key, text)
  }
  for (const [flag, text] of Object.entries(sources.flags)) set(keyOf(flag), text)
  const { paths = [], bundledCatalog } = sources
  const catalog = catalogOf(file, paths.length > 0 ? undefined : bundledCatalog)
  const { environment } = sources
  const folder = resolve(file?.path ?? '.', '..')
  const clouds = readCloudSettings({ settings, credentials: file?.credentials, folder, environment })
  const tracing = readTracing(environment)
  if (sources.defaultManifestFolder !== undefined && !settings.has('VZ_MANIFEST_DIR'))
    settings.set('VZ_MANIFEST_DIR', sources.defaultManifestFolder)
  return Object.freeze({ ...configOf(settings, clouds, catalog, paths.map(served)), tracing })
}

/** A folder or a file that is to be served, as an absolute path. */
function served(path: string): { readonly path: string; readonly url: string } {
  const kind = statSync(path, { throwIfNoEntry: false })
  if (kind === undefined) throw new ConfigError('serve', `there is no file or folder ${path}`)
  return { path: resolve(path), url: fileUrl(path) + (kind.isDirectory() ? '/' : '') }
}

/** Modules that a file names lie beside it, and not where the command runs. */
function besideFile(key: string, text: string, file: ConfigFile | undefined): string {
  if (key !== 'VZ_FORMATS' || file === undefined) return text
  return listed(text)
    .map((path) => resolve(file.path, '..', path))
    .join(',')
}

/** A file may spell a setting as its flag or as its environment variable. */
function keyOf(name: string): string {
  const flag = flagOf(name.toUpperCase().replaceAll('-', '_'))
  return BUILT.find((key) => flagOf(key) === flag) ?? name
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((part) => textOf(name, part)).join(',')
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null) return ''
  throw new ConfigError(name, 'expected text, a number, true, false or a list of text')
}

interface ConfigFile {
  readonly settings: Readonly<Record<string, unknown>>
  readonly datasets: unknown
  readonly credentials: unknown
  readonly path: string
}

function readConfigFile(path: string): ConfigFile {
  let document: unknown
  try {
    // YAML is a superset of JSON: one reader for both.
    document = parseYaml(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new ConfigError(
      'VZ_CONFIG',
      `${path} can't be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ConfigError('VZ_CONFIG', `${path} holds no settings, expected a mapping`)
  }
  const { datasets, credentials, ...settings } = document as Record<string, unknown>
  return { settings, datasets, credentials, path }
}

function catalogOf(
  file: ConfigFile | undefined,
  bundled: string | undefined,
): { catalog: Catalog; roots: readonly string[] } {
  if (file?.datasets !== undefined) return { catalog: readCatalog(file.datasets, file.path), roots: [] }
  if (bundled === undefined) return { catalog: new Map(), roots: [] }
  return { catalog: readCatalog(readConfigFile(bundled).datasets, bundled), roots: [resolve(bundled, '..')] }
}

function configOf(
  settings: Settings,
  clouds: CloudSettings,
  { catalog, roots }: { catalog: Catalog; roots: readonly string[] },
  paths: readonly { readonly path: string; readonly url: string }[],
): Omit<Config, 'tracing'> {
  const root = settings.get('VZ_FILE_ROOT')
  const publicUrl = settings.get('VZ_PUBLIC_URL')
  if (publicUrl !== undefined && !(/^https?:\/\/[^?#@\s]+$/.test(publicUrl) && URL.canParse(publicUrl))) {
    throw new ConfigError('VZ_PUBLIC_URL', `${publicUrl} is not an http(s) URL without query`)
  }
  const logLevel = settings.get('VZ_LOG_LEVEL') ?? 'info'
  if (!LOG_LEVELS.includes(logLevel))
    throw new ConfigError('VZ_LOG_LEVEL', `${logLevel} is none of ${LOG_LEVELS.join(', ')}`)
  const host = settings.get('HOST') ?? '127.0.0.1'
  const folder = settings.get('VZ_MANIFEST_DIR')
  return {
    host,
    port: wholeNumber(settings, 'PORT', 8080, 0, 65_535),
    allowSources: prefixes(settings, 'VZ_ALLOW_SOURCES'),
    denySources: prefixes(settings, 'VZ_DENY_SOURCES'),
    onlySources: prefixes(settings, 'VZ_ONLY_SOURCES'),
    fileRoots: [...(root === undefined ? [] : [resolve(root)]), ...paths.map(({ path }) => path), ...roots],
    workers: wholeNumber(settings, 'VZ_WORKERS', 1, 1, 64),
    cacheBytes: wholeNumber(settings, 'VZ_CACHE_BYTES', 512 * 2 ** 20, 2 ** 20, 2 ** 40),
    freshSeconds: wholeNumber(settings, 'VZ_FRESH_SECONDS', 60, 0, 10 ** 9),
    maxWholeBytes: wholeNumber(settings, 'VZ_MAX_WHOLE_BYTES', 64 * 2 ** 20, 0, 2 ** 40),
    manifestFolder: folder ? resolve(folder) : undefined,
    manifestBytes: wholeNumber(settings, 'VZ_MANIFEST_BYTES', 2 ** 30, 2 ** 20, 2 ** 50),
    redis: redisOf(settings.get('VZ_REDIS_URL')),
    clouds,
    logLevel,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    readyBytes: settings.has('VZ_READY_BYTES') ? wholeNumber(settings, 'VZ_READY_BYTES', 0, 0, 2 ** 50) : undefined,
    trustProxy: readProxyTrust(listed(settings.get('VZ_TRUST_PROXY')), 'VZ_TRUST_PROXY'),
    access: readAccess({
      text: (key) => settings.get(key),
      listed: (key) => listed(settings.get(key)),
      wholeNumber: (key, fallback, least, most) => wholeNumber(settings, key, fallback, least, most),
    }),
    allowVerify: flag(settings, 'VZ_ALLOW_VERIFY'),
    tiles: tilesOf(settings.get('VZ_TILES')),
    defaultOptions: defaultOptionsOf(settings.get('VZ_DEFAULT_OPTIONS')),
    allowPostedJoins: flag(settings, 'VZ_ALLOW_POSTED_JOINS', isLoopback(host)),
    formats: listed(settings.get('VZ_FORMATS')).map((path) => resolve(path)),
    catalog,
    folders: paths.map(({ url }) => url),
  }
}

/** What is wrong with it is told without its text, which may hold a password. */
function redisOf(text: string | undefined): RedisAddress | undefined {
  const address = text === undefined ? undefined : redisAddress(text)
  if (text !== undefined && address === undefined)
    throw new ConfigError('VZ_REDIS_URL', 'it is no URL like redis://user:password@host:6379/0, or rediss: for TLS')
  return address
}

/** A template of http(s) URLs whose host is no part of it: pages may load pictures from there. */
function tilesOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [template = ''] = text.split(' ')
  const isWhole = ['{z}', '{x}', '{y}'].every((part) => template.includes(part))
  if (isWhole && /^https?:\/\/[\w.-]+(?::\d+)?\//.test(template) && URL.canParse(template)) return text
  throw new ConfigError('VZ_TILES', `${template} is no URL like https://host/{z}/{x}/{y}.png`)
}

/** Options that don't depend on the source. */
const DEFAULTABLE = ['codecs', 'layout', 'packing', 'missing', 'sentinel', 'null_fill', 'migrate_fill', 'pyramid']

/** `sentinel=warn;codecs=native`: spelled as in the URL of a store. */
function defaultOptionsOf(text = ''): OptionTexts {
  const options = new Map<string, string>()
  for (const part of text.split(';').filter((each) => each.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*(\w+)=(.*?)\s*$/.exec(part) ?? []
    if (!DEFAULTABLE.includes(name) || options.has(name))
      throw new ConfigError(
        'VZ_DEFAULT_OPTIONS',
        `${JSON.stringify(part.slice(0, 100))} is not one name=value of ${DEFAULTABLE.join(', ')}, each at most once`,
      )
    options.set(name, value)
  }
  try {
    parseStoreOptions(options)
  } catch (error) {
    throw new ConfigError('VZ_DEFAULT_OPTIONS', error instanceof Error ? error.message : String(error))
  }
  return options
}

function wholeNumber(settings: Settings, key: string, fallback: number, least: number, most: number): number {
  const text = settings.get(key)
  if (text === undefined) return fallback
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw new ConfigError(key, `${text} is no whole number from ${least} to ${most}`)
  return value
}

/** Whether nobody but this machine can ask. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function flag(settings: Settings, key: string, fallback = false): boolean {
  const text = settings.get(key) ?? String(fallback)
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new ConfigError(key, `${text} is neither true nor false`)
}

/** Values that commas separate. */
function listed(text = ''): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function prefixes(settings: Settings, key: string): readonly string[] {
  return listed(settings.get(key)).map((text) => {
    try {
      parseUrlPrefix(text, key)
    } catch (error) {
      throw isVirtualZarrError(error) ? new ConfigError(key, error.message.slice(`${key}: `.length)) : error
    }
    return URL.canParse(text) && new URL(text).origin !== 'null' ? new URL(text).href : text
  })
}

/** The URL of a path given on the command line or in a catalog. */
export function fileUrl(path: string): string {
  return pathToFileURL(resolve(path)).href
}
