import { get } from 'node:http'
import { parseArgs } from 'node:util'
import { isVirtualZarrError } from '../errors.ts'
import { OPTION_NAMES } from '../service/store-options.ts'
import { type Config, readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { packageFile } from './package-files.ts'
import { exportCommand, inspectCommand, readCommand } from './queries.ts'
import { serve } from './serve.ts'
import { flagHelp, flagOptions, settingsOfFlags } from './settings.ts'
import { VERSION } from './version.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Exit codes that scripts can use. */
const EXIT = { ok: 0, failed: 1, usage: 2 } as const

const HELP: Readonly<Record<string, string>> = {
  serve: `virtual-zarr serve [FOLDER|FILE]… [flags]      serve HTTP until SIGTERM

The files in the folders (and those named) are listed and served; without any, a catalog of small examples is.

Flags (each is also an environment variable, --file-root being VZ_FILE_ROOT, and a line of the --config file):
${flagHelp()}`,
  inspect: `virtual-zarr inspect URL [--option name=value]…      print what a source holds, as JSON`,
  read: `virtual-zarr read URL ARRAY [--slice 0,1:3,:] [--option name=value]…      print values as JSON`,
  export: `virtual-zarr export URL [--to kerchunk|kerchunk-parquet] [--out PATH] [--option name=value]…      write the manifest as references`,
  healthcheck: `virtual-zarr healthcheck      ask a running server whether it is ready; exit code 0 or 1`,
}

const USAGE = `virtual-zarr ${VERSION}

${Object.values(HELP)
  .map((text) => `  ${text.split('\n', 1)[0]}`)
  .join('\n')}

URL may also be a path of this machine. Options of a store: ${OPTION_NAMES.join(', ')}.
Exit codes: 0 done, 1 the source can't be read or holds no such thing, 2 wrong usage or configuration.
`

/** Runs one command of the command line; resolves with the exit code. */
export async function runCommand(words: readonly string[], environment: Environment): Promise<number> {
  const [command = '', ...rest] = words
  const help = HELP[command]
  if (help === undefined) {
    const asked = command === '' || command === '--help' || command === 'help'
    if (command === '--version') process.stdout.write(`${VERSION}\n`)
    else (asked ? process.stdout : process.stderr).write(asked ? USAGE : `there is no command ${command}\n\n${USAGE}`)
    return asked || command === '--version' ? EXIT.ok : EXIT.usage
  }
  if (rest.includes('--help')) {
    process.stdout.write(`${help}\n`)
    return EXIT.ok
  }
  try {
    await run(command, rest, environment)
    return EXIT.ok
  } catch (error) {
    return failed(error)
  }
}

function failed(error: unknown): number {
  if (isVirtualZarrError(error)) {
    process.stderr.write(`${error.code}: ${error.message}\n`)
    return error.code === 'invalid-request' ? EXIT.usage : EXIT.failed
  }
  const isUsage =
    error instanceof ConfigError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  process.stderr.write(`${error instanceof Error ? (isUsage ? error.message : error.stack) : String(error)}\n`)
  return isUsage ? EXIT.usage : EXIT.failed
}

async function run(command: string, words: readonly string[], environment: Environment): Promise<void> {
  switch (command) {
    case 'serve':
      return await serve(serverConfig(words, environment))
    case 'healthcheck':
      return await healthcheck(serverConfig(words, environment))
    case 'inspect':
      return await inspectCommand(words, environment)
    case 'export':
      return await exportCommand(words, environment)
    case 'read':
      return await readCommand(words, environment)
  }
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
      else reject(new ConfigError('healthcheck', `the server answers ${response.statusCode}`))
    })
    request.once('timeout', () => request.destroy(new Error('no answer within 3 s')))
    request.once('error', reject)
  })
}
