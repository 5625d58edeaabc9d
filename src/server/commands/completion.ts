import { OPTION_HELP } from '../../service/option-help.ts'
import { ConfigError } from '../config-error.ts'
import { flagOf, SETTINGS } from '../settings.ts'
import type { Command, Given } from './command.ts'

/** A flag as a shell completes it. */
interface Completed {
  readonly name: string
  readonly about: string
  /** Words that may follow; undefined for a flag without a value, empty for any value. */
  readonly values: readonly string[] | undefined
}

type Commands = readonly Command[]

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `virtual-zarr completion bash|zsh|fish` */
export function completionCommand({ words: [shell = ''] }: Given, commands: Commands): undefined {
  const script = SHELLS[shell]
  if (script === undefined) throw new ConfigError('completion', `${shell} is none of ${Object.keys(SHELLS).join(', ')}`)
  process.stdout.write(script(commands))
}

function completedFlags({ flags, besides }: Command): readonly Completed[] {
  const own = Object.entries(flags).map(([name, { takes, meaning, values }]) => ({
    name,
    about: meaning,
    values: takes === undefined ? undefined : (values ?? []),
  }))
  return [...own, ...(besides === 'options' ? ofStores() : []), ...(besides === 'settings' ? ofServers() : []), HELP]
}

const HELP: Completed = { name: 'help', about: 'all about the command', values: undefined }

function ofStores(): readonly Completed[] {
  return Object.entries(OPTION_HELP).map(([name, { takes, meaning }]) => ({
    name: name.replaceAll('_', '-'),
    about: meaning,
    values: takes.includes('|') ? takes.split('|').filter((word) => /^[a-z]/.test(word)) : [],
  }))
}

function ofServers(): readonly Completed[] {
  return SETTINGS.flatMap(({ key, shortFlag, takes, meaning }) =>
    [...(shortFlag === undefined ? [] : [shortFlag]), flagOf(key)].map((name) => ({
      name,
      about: meaning,
      values: takes.includes('|') ? takes.split('|') : [],
    })),
  )
}

/** Words that a command takes itself and that are no files: the shells of this one. */
function ownWords({ takes }: Command): readonly string[] {
  return /^[a-z]+(\|[a-z]+)+$/.test(takes) ? takes.split('|') : []
}

function bashScript(commands: Commands): string {
  const cases = commands.map((command) => {
    const flags = completedFlags(command)
    const valued = flags.filter(({ values }) => values !== undefined && values.length > 0)
    const values = valued
      .map(({ name, values: words = [] }) => `        --${name}) words='${words.join(' ')}' ;;\n`)
      .join('')
    return `    ${command.name})
      case $before in
${values}        *) words='${[...ownWords(command), ...flags.map(({ name }) => `--${name}`)].join(' ')}' ;;
      esac ;;
`
  })
  return `# Completion of virtual-zarr for bash: source <(virtual-zarr completion bash)
_virtual_zarr() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words=
  if ((COMP_CWORD == 1)); then
    words='${commands.map(({ name }) => name).join(' ')}'
  else case \${COMP_WORDS[1]} in
${cases.join('')}  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  # What is no word of ours may be a file.
  if ((\${#COMPREPLY[@]} == 0 && COMP_CWORD > 1)); then compopt -o default 2>/dev/null; fi
}
complete -F _virtual_zarr virtual-zarr
`
}

function zshScript(commands: Commands): string {
  const cases = commands.map((command) => {
    const flags = completedFlags(command).map(({ name, about, values }) => {
      const value = values === undefined ? '' : `:value:${values.length > 0 ? `(${values.join(' ')})` : '_files'}`
      return `'*--${name}[${zshText(about)}]${value}'`
    })
    const words = ownWords(command)
    const rest = `'*:source:${words.length > 0 ? `(${words.join(' ')})` : '_files'}'`
    return `    ${command.name}) _arguments ${[...flags, rest].join(' ')} ;;\n`
  })
  const about = commands.map((command) => `'${command.name}:${zshText(command.about)}'`).join(' ')
  return `#compdef virtual-zarr
# Completion of virtual-zarr for zsh: source <(virtual-zarr completion zsh), after compinit
_virtual_zarr() {
  local -a commands=(${about})
  if ((CURRENT == 2)); then _describe command commands; return; fi
  local command=$words[2]
  shift words; ((CURRENT--))
  case $command in
${cases.join('')}  esac
}
compdef _virtual_zarr virtual-zarr
`
}

/** Quotes, colons and brackets have meanings in zsh's specifications. */
function zshText(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''")
}

function fishScript(commands: Commands): string {
  const lines = commands.flatMap((command) => [
    `complete -c virtual-zarr -n __fish_use_subcommand -f -a ${command.name} -d ${fishText(command.about)}`,
    ...ownWords(command).map(
      (word) => `complete -c virtual-zarr -n '__fish_seen_subcommand_from ${command.name}' -f -a ${word}`,
    ),
    ...completedFlags(command).map(({ name, about, values }) => {
      const value = values === undefined ? '' : values.length > 0 ? ` -x -a ${fishText(values.join(' '))}` : ' -r'
      return `complete -c virtual-zarr -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${value} -d ${fishText(about)}`
    }),
  ])
  return `# Completion of virtual-zarr for fish: virtual-zarr completion fish | source\n${lines.join('\n')}\n`
}

function fishText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
