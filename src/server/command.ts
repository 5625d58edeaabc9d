import { get } from 'node:http'
import { parseArgs } from 'node:util'
import { isVirtualZarrError, VirtualZarrError } from '../errors.ts'
import { OPTION_HELP } from '../service/option-help.ts'
import { type Config, readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { exportCommand, inspectCommand, readCommand } from './queries.ts'
import { serve } from './serve.ts'
import { columns, flagHelp, flagOptions, settingsOfFlags } from './settings.ts'
import { shownText } from './shown.ts'
import { packageFile, VERSION } from './version.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Exit codes that scripts can use. */
const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** What every command that reads takes. */
const READING = `URL may be a path of this machine. Options of a store, as in its URL (docs/options.md), the first
value being the default (or --option name=value):
${optionHelp()}`

const HELP: Readonly<Record<string, string>> = {
  serve: `virtual-zarr serve [FOLDER|FILE]… [flags]      serve HTTP until SIGTERM

The files in the folders (and those named) are listed and served; without any, a catalog of small examples is.

Flags (each is also an environment variable, --file-root being VZ_FILE_ROOT, and a line of the --config file):
${flagHelp()}`,
  inspect: `virtual-zarr inspect URL [--json] [--all] [options]      print what a source holds

  --json  as JSON, what /inspect answers
  --all   leave nothing out of long lists and texts

${READING}`,
  read: `virtual-zarr read URL ARRAY [--slice 0,1:3,:] [--decoded] [--json] [--all] [options]      print values

  --slice    indices and ranges as numpy takes them, without steps
  --decoded  values as xarray shows them: missing ones as nan (null), scale and offset applied, times as dates
  --json     as JSON, {"shape": …, "values": …}
  --all      all values of a large array, and not only its edges

${READING}`,
  export: `virtual-zarr export URL [--to kerchunk|kerchunk-parquet|icechunk] [--out PATH] [options]      write the manifest as references

  --to   kerchunk: a JSON document; kerchunk-parquet: a folder of Parquet files;
         icechunk: a folder that is a repository with virtual references
  --out  where to write; a document goes to standard output without it

${READING}`,
  verify: `virtual-zarr verify URL [--sample 5%|--all] [--json] [--against REPORT] [options]      compare what is served with the source

  --sample   part of the chunks that is compared, spread evenly (5%); --all: every one
  --json     as JSON, to be kept
  --against  a report that was kept: what has changed at the origin since

Served values are read by zarrita, the source by a reader that shares no code with this project. Exit code 1 when something differs,
3 when nothing could be compared.

${READING}`,
  healthcheck: `virtual-zarr healthcheck [flags]      ask a running server whether it is ready

The flags are those of serve: --host and --port say which server.`,
}

const EXIT_CODES = 'Exit codes: 0 done, 1 the source cannot be read or served, 2 wrong usage, option or configuration.'

const USAGE = `virtual-zarr ${VERSION}

${Object.values(HELP)
  .map((text) => `  ${text.split('\n', 1)[0]}`)
  .join('\n')}

Each knows --help. ${EXIT_CODES}
`

function optionHelp(): string {
  const rows = Object.entries(OPTION_HELP).map(([name, { takes, meaning }]) => [
    `  --${name.replaceAll('_', '-')} ${takes}`,
    meaning,
  ])
  return columns(rows)
}

/** Runs one command of the command line; resolves with the exit code. */
export async function runCommand(words: readonly string[], environment: Environment): Promise<number> {
  const [command = '', ...rest] = words
  const help = HELP[command]
  if (help === undefined) {
    const asked = ['', '--help', '-h', 'help'].includes(command)
    if (command === '--version') process.stdout.write(`${VERSION}\n`)
    else (asked ? process.stdout : process.stderr).write(asked ? USAGE : `there is no command ${command}\n\n${USAGE}`)
    return asked || command === '--version' ? EXIT.ok : EXIT.usage
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(`${help}\n\n${EXIT_CODES}\n`)
    return EXIT.ok
  }
  try {
    return (await run(command, rest, environment)) ?? EXIT.ok
  } catch (error) {
    return failed(error)
  }
}

function failed(error: unknown): number {
  const { text, code } = told(error)
  process.stderr.write(`${text}\n`)
  return code
}

/** An error in a line, if it is not a bug. */
function told(error: unknown): { readonly text: string; readonly code: number } {
  if (isVirtualZarrError(error)) {
    const { url } = error.context
    const place = url === undefined || error.message.includes(url) ? '' : ` (${shownText(url)})`
    const code = error.code === 'invalid-request' ? EXIT.usage : EXIT.failed
    return { text: `${error.code}: ${shownText(error.message)}${place}`, code }
  }
  if (error instanceof ConfigError) return { text: error.message, code: EXIT.usage }
  if (!(error instanceof Error)) return { text: String(error), code: EXIT.failed }
  const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!isUsage) return { text: error.stack ?? error.message, code: EXIT.failed }
  // Node's second sentence is about values that begin with a dash.
  return { text: `${error.message.split('. ', 1)[0]}; --help lists what there is`, code: EXIT.usage }
}

async function run(command: string, words: readonly string[], environment: Environment): Promise<number | undefined> {
  switch (command) {
    case 'serve':
      await serve(serverConfig(words, environment))
      break
    case 'healthcheck':
      await healthcheck(serverConfig(words, environment))
      break
    case 'inspect':
      await inspectCommand(words, environment)
      break
    case 'export':
      await exportCommand(words, environment)
      break
    case 'read':
      await readCommand(words, environment)
      break
    case 'verify':
      // Readers of other people's are loaded for it alone.
      return await (await import('./verify-command.ts')).verifyCommand(words, environment)
  }
  return undefined
}

function serverConfig(words: readonly string[], environment: Environment): Config {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: flagOptions(),
    strict: true,
    allowPositionals: true,
  })
  return readConfig({
    flags: settingsOfFlags(values),
    environment,
    bundledCatalog: packageFile('examples/catalog.yaml'),
    paths: positionals,
  })
}

/** Asks the server on this machine, so that a container needs no curl. */
async function healthcheck(config: Config): Promise<void> {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  await new Promise<void>((resolve, reject) => {
    const request = get({ host, port: config.port, path: '/health/ready', timeout: 3000 }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new VirtualZarrError('source-unavailable', `the server answers ${response.statusCode}`))
    })
    const place = `http://${host}:${config.port}`
    request.once('timeout', () => request.destroy(new Error('no answer within 3 s')))
    request.once('error', ({ message }) =>
      reject(new VirtualZarrError('source-unavailable', `${place} is not ready: ${message}`)),
    )
  })
}
