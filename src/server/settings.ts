/** One setting of the process: an environment variable, a flag, and a line of the configuration file. */
export interface Setting {
  /** The environment variable. */
  readonly key: string
  /** What its value is, as the help names it. */
  readonly takes: string
  /** In words, for the help; empty where there is none. */
  readonly fallback: string
  readonly meaning: string
  /** A shorter flag for what newcomers need first. */
  readonly shortFlag?: string
  /** Several values: separated by commas, or the flag repeated. */
  readonly isList?: boolean
  /** Shown to nobody. */
  readonly isSecret?: boolean
}

/** Every setting there is: the help, the flags and the check of the configuration are made of this (SET-1). */
export const SETTINGS: readonly Setting[] = [
  { key: 'HOST', takes: 'ADDRESS', fallback: '127.0.0.1', meaning: 'address to listen on; 0.0.0.0 is every one' },
  { key: 'PORT', takes: 'NUMBER', fallback: '8080', meaning: 'port to listen on; 0 is any that is free' },
  {
    key: 'VZ_CONFIG',
    takes: 'FILE',
    fallback: '',
    meaning: 'YAML or JSON with settings, and a catalog under `datasets:`',
  },
  {
    key: 'VZ_ALLOW_SOURCES',
    takes: 'URL',
    fallback: '',
    shortFlag: 'allow',
    isList: true,
    meaning: 'prefix of URLs that may be read though their address is private or their port unusual',
  },
  {
    key: 'VZ_DENY_SOURCES',
    takes: 'URL',
    fallback: '',
    isList: true,
    meaning: 'prefix of URLs that may not be read',
  },
  {
    key: 'VZ_ONLY_SOURCES',
    takes: 'URL',
    fallback: '',
    isList: true,
    meaning: 'when set, nothing but URLs below these prefixes may be read',
  },
  {
    key: 'VZ_FILE_ROOT',
    takes: 'FOLDER',
    fallback: 'none',
    meaning: 'folder that file: URLs may read; its files are not listed',
  },
  {
    key: 'VZ_FORMATS',
    takes: 'FILE',
    fallback: 'none',
    isList: true,
    meaning: 'module that exports formats of your own (docs/writing-a-format.md)',
  },
  {
    key: 'VZ_WORKERS',
    takes: 'NUMBER',
    fallback: '1',
    meaning: 'processes that answer on the one port, each with a cache of its own',
  },
  {
    key: 'VZ_READY_BYTES',
    takes: 'BYTES',
    fallback: "nine tenths of the container's memory",
    meaning: 'memory of the process beyond which /health/ready is 503; 0: any',
  },
  {
    key: 'VZ_CACHE_BYTES',
    takes: 'BYTES',
    fallback: '512 MiB',
    meaning: 'memory for opened stores, computed chunks, and pages of remote files',
  },
  {
    key: 'VZ_FRESH_SECONDS',
    takes: 'SECONDS',
    fallback: '60',
    meaning: 'how long an opened store is trusted before its source is asked whether it changed',
  },
  {
    key: 'VZ_MAX_WHOLE_BYTES',
    takes: 'BYTES',
    fallback: '64 MiB',
    meaning: 'the largest file that is read whole: compressed ones, and those on origins without ranges',
  },
  {
    key: 'VZ_MANIFEST_DIR',
    takes: 'FOLDER',
    fallback: "`virtual-zarr-server` in the user's cache folder",
    meaning:
      'where what is known of opened stores outlives the process; several processes may share it. Empty: nowhere. Commands other than serve have none by default',
  },
  {
    key: 'VZ_MANIFEST_BYTES',
    takes: 'BYTES',
    fallback: '1 GiB',
    meaning: 'what that folder may take',
  },
  {
    key: 'VZ_REDIS_URL',
    takes: 'URL',
    fallback: 'none',
    isSecret: true,
    meaning: 'a server of Redis or Valkey where it is shared by machines; rediss: is TLS',
  },
  {
    key: 'VZ_S3_ENDPOINT',
    takes: 'URL',
    fallback: "AWS's own",
    meaning: 'another host that speaks the protocol of S3; it may be a private address',
  },
  { key: 'VZ_S3_REGION', takes: 'NAME', fallback: 'us-east-1', meaning: 'region that is asked first, and signed for' },
  {
    key: 'VZ_S3_PATH_STYLE',
    takes: 'true|false',
    fallback: 'true where there is an endpoint',
    meaning: 'name buckets in the path, not in the host',
  },
  {
    key: 'VZ_GS_ENDPOINT',
    takes: 'URL',
    fallback: "Google's own",
    meaning: 'another host that speaks the XML protocol of Google Cloud Storage, such as an emulator',
  },
  {
    key: 'VZ_AZ_ENDPOINT',
    takes: 'URL',
    fallback: "Azure's own",
    meaning: 'another host that speaks the protocol of Azure Blob Storage; the account follows in the path',
  },
  {
    key: 'VZ_PUBLIC_URL',
    takes: 'URL',
    fallback: 'the Host of the request',
    meaning: "the service's address in links; set it behind a shared cache",
  },
  {
    key: 'VZ_TILES',
    takes: 'URL',
    fallback: 'none',
    meaning:
      'tiles below the maps of the explorer, as https://host/{z}/{x}/{y}.png, and behind a blank whom they are owed to (docs/explorer.md)',
  },
  {
    key: 'VZ_DEFAULT_OPTIONS',
    takes: 'OPTIONS',
    fallback: 'none',
    meaning:
      'options of every store whose URL does not give them, spelled as there: sentinel=warn;codecs=native (docs/options.md)',
  },
  {
    key: 'VZ_ALLOW_POSTED_JOINS',
    takes: 'true|false',
    fallback: 'true on a loopback address',
    meaning: 'take join documents by POST /joins',
  },
  {
    key: 'VZ_ALLOW_VERIFY',
    takes: 'true|false',
    fallback: 'false',
    meaning: 'answer /verify, which reads a source whole and takes long',
  },
  {
    key: 'VZ_TRUST_PROXY',
    takes: 'true|false|COUNT|ADDRESS',
    fallback: 'false',
    isList: true,
    meaning:
      'believe X-Forwarded-* of the proxy in front, of so many in a row, or of those at these addresses and networks',
  },
  {
    key: 'VZ_API_KEYS',
    isSecret: true,
    takes: '[NAME:]KEY',
    fallback: 'none',
    isList: true,
    meaning: 'keys, or their hashes ([NAME:]sha256:HEX), without which nothing is answered (docs/security.md)',
  },
  {
    key: 'VZ_SIGNING_KEYS',
    isSecret: true,
    takes: 'KEY',
    fallback: 'none',
    isList: true,
    meaning:
      "keys of `virtual-zarr sign`: signed stores' URLs open without an API key, nothing else does; the first one signs",
  },
  {
    key: 'VZ_RATE_LIMIT',
    takes: 'RATE',
    fallback: 'none',
    meaning: 'requests of each API key, or of each address without one: 100/s, 6000/m or 20000/h',
  },
  {
    key: 'VZ_SOURCE_CONCURRENCY',
    takes: 'NUMBER',
    fallback: '0, not counted',
    meaning: 'requests for stores of one origin that are answered at a time; clients have equal shares of them',
  },
  {
    key: 'VZ_CLOSED_PATHS',
    takes: 'NAME',
    fallback: 'none',
    isList: true,
    meaning:
      'parts that answer 404 to everybody: metrics, inspect, resolve, export, datasets, joins, docs, openapi.json',
  },
  {
    key: 'VZ_LOG_LEVEL',
    takes: 'LEVEL',
    fallback: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent',
  },
]

/** `VZ_FILE_ROOT` is `--file-root` on the command line, and `file-root:` in the file. */
export function flagOf(key: string): string {
  return key.replace(/^VZ_/, '').toLowerCase().replaceAll('_', '-')
}

/** What `parseArgs` is told of the settings. */
export function flagOptions(): Record<string, { type: 'string'; multiple: boolean }> {
  const flags = SETTINGS.flatMap(({ key, shortFlag, isList = false }) =>
    [flagOf(key), ...(shortFlag === undefined ? [] : [shortFlag])].map(
      (flag) => [flag, { type: 'string', multiple: isList }] as const,
    ),
  )
  return Object.fromEntries(flags)
}

type Given = Readonly<Record<string, string | readonly string[] | undefined>>

/** Flags as they were given, by the names of settings, with repeated and short ones joined. */
export function settingsOfFlags(given: Given): Record<string, string | undefined> {
  const settings: Record<string, string | undefined> = {}
  for (const { key, shortFlag } of SETTINGS) {
    const values = [given[flagOf(key)], shortFlag === undefined ? undefined : given[shortFlag]].flat()
    const texts = values.filter((text) => text !== undefined)
    if (texts.length > 0) settings[flagOf(key)] = texts.join(',')
  }
  return settings
}

/** A line for each flag. */
export function flagHelp(): string {
  return columns(
    SETTINGS.map(({ key, takes, fallback, meaning, shortFlag }) => {
      const flags = [...(shortFlag === undefined ? [] : [shortFlag]), flagOf(key)].map((flag) => `--${flag}`)
      return [`  ${flags.join(', ')} ${takes}`, `${meaning}${fallback === '' ? '' : ` (${fallback})`}`]
    }),
  )
}

/** Rows of two columns, the first as wide as its widest. */
export function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', second = '']) => `${first.padEnd(width)}  ${second}`).join('\n')
}
