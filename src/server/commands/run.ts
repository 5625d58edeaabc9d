import { isVirtualZarrError } from '../../errors.ts'
import { writeJson } from '../../json/write.ts'
import { ConfigError } from '../config-error.ts'
import { shownText } from '../shown.ts'
import { VERSION } from '../version.ts'
import type { Environment } from './command.ts'
import { readGiven } from './given.ts'
import { helpText, usageText } from './help.ts'
import { COMMANDS } from './list.ts'

/** Exit codes that scripts can use. */
const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** Runs one command of the command line; resolves with the exit code. */
export async function runCommand(words: readonly string[], environment: Environment): Promise<number> {
  const [name = '', ...rest] = words
  const command = COMMANDS.find((one) => one.name === name)
  if (command === undefined) return answerWithout(name)
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(helpText(command))
    return EXIT.ok
  }
  try {
    return (await command.run(readGiven(command, rest, environment))) ?? EXIT.ok
  } catch (error) {
    return failed(error, rest.includes('--json'))
  }
}

function answerWithout(name: string): number {
  if (name === '--version') {
    process.stdout.write(`${VERSION}\n`)
    return EXIT.ok
  }
  if (['', '--help', '-h', 'help'].includes(name)) {
    process.stdout.write(usageText(COMMANDS))
    return EXIT.ok
  }
  process.stderr.write(`there is no command ${shownText(name)}\n\n${usageText(COMMANDS)}`)
  return EXIT.usage
}

function failed(error: unknown, isJson: boolean): number {
  const { kind, text, place, exit } = told(error)
  if (isJson) process.stderr.write(`${writeJson({ error: kind, message: text, ...(place && { url: place }) })}\n`)
  else process.stderr.write(`${kind === '' ? '' : `${kind}: `}${text}${place === undefined ? '' : ` (${place})`}\n`)
  return exit
}

interface Told {
  readonly kind: string
  readonly text: string
  readonly place?: string
  readonly exit: number
}

/** An error in a line, if it is not a bug. */
function told(error: unknown): Told {
  if (isVirtualZarrError(error)) {
    const { url } = error.context
    const exit = error.code === 'invalid-request' ? EXIT.usage : EXIT.failed
    const about = { kind: error.code, text: shownText(error.message), exit }
    return url === undefined || error.message.includes(url) ? about : { ...about, place: shownText(url) }
  }
  if (error instanceof ConfigError) return { kind: error.key, text: error.reason, exit: EXIT.usage }
  if (!(error instanceof Error)) return { kind: '', text: String(error), exit: EXIT.failed }
  const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  if (!isUsage) return { kind: '', text: error.stack ?? error.message, exit: EXIT.failed }
  // Node's second sentence is about values that begin with a dash.
  return { kind: '', text: `${error.message.split('. ', 1)[0]}; --help lists what there is`, exit: EXIT.usage }
}
