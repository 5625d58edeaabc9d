import { OPTION_HELP } from '../../service/option-help.ts'
import { columns, flagHelp } from '../settings.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'

const EXIT_CODES = `Exit codes: 0 done; 1 the source can't be read or served, or a check failed; 2 wrong usage, option or configuration;
130 stopped by ^C. verify has more: verify --help.`

/** What there is. */
export function usageText(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  virtual-zarr ${command.name} ${command.takes}`.trimEnd(), command.about])
  return `virtual-zarr ${VERSION}

${columns(rows)}

Each knows --help, and --json where it tells something. virtual-zarr --version tells the version.
${EXIT_CODES}
`
}

/** All about one command, in the same order for each. */
export function helpText(command: Command): string {
  const { about, besides, notes } = command
  const own = ownFlags(command)
  const parts = [
    `virtual-zarr ${synopsis(command)}\n    ${about}`,
    ...(own === '' ? [] : [own]),
    ...(notes === undefined ? [] : [notes]),
    ...(besides === 'options' ? [optionHelp()] : []),
    ...(besides === 'settings' ? [settingHelp()] : []),
    EXIT_CODES,
  ]
  return `${parts.join('\n\n')}\n`
}

function synopsis({ name, takes, flags, besides }: Command): string {
  const own = Object.entries(flags).map(
    ([flag, { takes: value }]) => `[--${flag}${value === undefined ? '' : ` ${value}`}]`,
  )
  const others = besides === undefined ? [] : [`[${besides}]`]
  return [name, takes, ...own, ...others].filter((part) => part !== '').join(' ')
}

function ownFlags({ flags }: Command): string {
  const rows = Object.entries(flags).map(([flag, { takes, meaning }]) => [
    `  --${flag}${takes === undefined ? '' : ` ${takes}`}`,
    meaning,
  ])
  return rows.length === 0 ? '' : columns(rows)
}

function optionHelp(): string {
  const rows = Object.entries(OPTION_HELP).map(([name, { takes, meaning }]) => [
    `  --${name.replaceAll('_', '-')} ${takes}`,
    meaning,
  ])
  return `URL may be a path of this machine. Options of a store, as in its URL (docs/options.md), the first
value being the default (or --option name=value):
${columns(rows)}`
}

function settingHelp(): string {
  return `Settings (each is also an environment variable, --file-root being VZ_FILE_ROOT, and a line of the --config file;
docs/configuration.md):
${flagHelp()}`
}
