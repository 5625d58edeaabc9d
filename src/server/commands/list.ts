import type { Command, Flag } from './command.ts'

const JSON_FLAG: Flag = { meaning: 'as JSON, for programs; errors too' }
const ONE = { least: 1, most: 1 }
const ANY = { least: 0, most: Number.POSITIVE_INFINITY }

/** Every command: help, completion and the reading of words are made of this. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    takes: '[FOLDER|FILE]…',
    words: ANY,
    about: 'serve HTTP until SIGTERM',
    flags: {},
    besides: 'settings',
    notes:
      'The files in the folders (and those named) are listed and served; without any, a catalog of small examples is.',
    run: async (given) => await (await import('./serving.ts')).serveCommand(given),
  },
  {
    name: 'open',
    takes: 'FILE|FOLDER|URL',
    words: ONE,
    about: 'serve one source and open the explorer on it',
    flags: {
      'no-browser': { meaning: 'only print the address' },
      json: { meaning: 'print the addresses as JSON, and start no browser' },
    },
    besides: 'settings',
    notes: `The server listens on a free port of this machine until ^C. A browser is started on a terminal with a screen, and not in CI.`,
    run: async (given) => await (await import('./open.ts')).openCommand(given),
  },
  {
    name: 'inspect',
    takes: 'URL',
    words: ONE,
    about: 'print what a source holds',
    flags: {
      tree: { meaning: 'only the tree' },
      json: { meaning: 'as JSON, what /inspect answers; errors too' },
      all: { meaning: 'leave nothing out of long lists and texts' },
    },
    besides: 'options',
    run: async (given) => await (await import('./inspect.ts')).inspectCommand(given),
  },
  {
    name: 'read',
    takes: 'URL [ARRAY]',
    words: { least: 1, most: 2 },
    about: 'print values',
    flags: {
      slice: { takes: '0,1:3,:', meaning: 'indices and ranges as numpy takes them, without steps' },
      stats: { meaning: 'not the values: how many, how many of them missing, least, greatest and mean' },
      decoded: {
        meaning: 'as xarray shows them: missing ones as nan (null), scale and offset applied, times as dates',
      },
      json: { meaning: 'as JSON: {"shape": …, "values": …}; errors too' },
      all: { meaning: 'all values of a large array, and not only its edges' },
    },
    besides: 'options',
    run: async (given) => await (await import('./read.ts')).readCommand(given),
  },
  {
    name: 'export',
    takes: 'URL',
    words: ONE,
    about: 'write the manifest as references',
    flags: {
      to: {
        takes: 'FORMAT',
        meaning: 'kerchunk (a JSON document), kerchunk-parquet (a folder of Parquet files), icechunk (a repository)',
        values: ['kerchunk', 'kerchunk-parquet', 'icechunk'],
      },
      out: { takes: 'PATH', meaning: 'where to write; a document goes to standard output without it' },
      json: { meaning: 'tell as JSON what was written and what left out (needs --out); errors too' },
    },
    besides: 'options',
    run: async (given) => await (await import('./export.ts')).exportCommand(given),
  },
  {
    name: 'verify',
    takes: 'URL',
    words: ONE,
    about: 'compare what is served with the source',
    flags: {
      sample: { takes: '5%', meaning: 'part of the chunks that is compared, spread evenly' },
      all: { meaning: 'compare every chunk' },
      json: { meaning: 'as JSON, to be kept; errors too' },
      against: { takes: 'REPORT', meaning: 'a report that was kept: what has changed at the origin since' },
    },
    besides: 'options',
    notes: `Served values are read by zarrita, the source by a reader that shares no code with this project. Exit code 1 when something differs,
3 when nothing could be compared.`,
    run: async (given) => await (await import('./verify.ts')).verifyCommand(given),
  },
  {
    name: 'sign',
    takes: 'URL|ID',
    words: ONE,
    about: "print a store's URL that opens without an API key",
    flags: { for: { takes: '24h', meaning: 'how long it does: 90s, 30m, 24h, 7d' }, json: JSON_FLAG },
    besides: 'options',
    notes: 'Signed with the first of VZ_SIGNING_KEYS, as the server has them; VZ_PUBLIC_URL is its address.',
    run: async (given) => await (await import('./sign.ts')).signCommand(given),
  },
  {
    name: 'doctor',
    takes: '[URL]…',
    words: ANY,
    about: 'tell what is configured, reachable and installed',
    flags: { json: JSON_FLAG },
    besides: 'settings',
    notes: `Asked are the hosts of these URLs, of the catalog and of the settings. Exit code 1 when something would not work.`,
    run: async (given) => await (await import('./doctor.ts')).doctorCommand(given),
  },
  {
    name: 'healthcheck',
    takes: '',
    words: { least: 0, most: 0 },
    about: 'ask a running server whether it is ready',
    flags: { json: JSON_FLAG },
    besides: 'settings',
    notes: '--host and --port say which server.',
    run: async (given) => await (await import('./healthcheck.ts')).healthcheckCommand(given),
  },
  {
    name: 'completion',
    takes: 'bash|zsh|fish',
    words: ONE,
    about: 'print a script that completes commands and flags',
    flags: {},
    notes: `bash: source <(virtual-zarr completion bash)     zsh: the same, after compinit
fish: virtual-zarr completion fish | source`,
    run: async (given) => (await import('./completion.ts')).completionCommand(given, COMMANDS),
  },
]
