import { parseArgs } from 'node:util'
import { invalidRequest } from '../../errors.ts'
import { OPTION_NAMES } from '../../service/store-options.ts'
import { flagOptions, settingsOfFlags } from '../settings.ts'
import type { Command, Environment, Given } from './command.ts'

type Flags = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

/** Every option of a store is a flag, `null_fill` being `--null-fill` too. */
const OPTION_FLAGS = new Map(
  OPTION_NAMES.flatMap((name) => [name, name.replaceAll('_', '-')].map((flag) => [flag, name])),
)

/** Reads the words behind a command's name; throws where they are none that it takes. */
export function readGiven(command: Command, words: readonly string[], environment: Environment): Given {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: flagsOf(command),
    allowPositionals: true,
    strict: true,
  })
  const { least, most } = command.words
  if (positionals.length < least || positionals.length > most)
    throw invalidRequest(`expected ${command.takes === '' ? 'no further words' : command.takes}`)
  const given = values as Readonly<Record<string, string | boolean | string[] | undefined>>
  const flags = Object.keys(command.flags).map((name) => [name, given[name]] as const)
  return {
    words: positionals,
    flags: Object.fromEntries(flags) as Given['flags'],
    options: command.besides === 'options' ? optionsOf(given) : new Map(),
    settings: command.besides === 'settings' ? settingsOfFlags(textsOf(given)) : {},
    environment,
  }
}

function flagsOf({ flags, besides }: Command): Flags {
  const own = Object.entries(flags).map(
    ([name, { takes }]) => [name, { type: takes === undefined ? 'boolean' : 'string' }] as const,
  )
  const ofStores =
    besides === 'options' ? [...OPTION_FLAGS.keys()].map((flag) => [flag, { type: 'string' }] as const) : []
  return {
    ...Object.fromEntries(ofStores),
    ...(besides === 'options' ? { option: { type: 'string', multiple: true } } : {}),
    ...(besides === 'settings' ? flagOptions() : {}),
    ...Object.fromEntries(own),
  }
}

function optionsOf(given: Readonly<Record<string, string | boolean | string[] | undefined>>): Map<string, string> {
  const options = new Map<string, string>()
  for (const text of [given['option'] ?? []].flat()) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(String(text)) ?? []
    if (name === undefined || value === undefined) throw invalidRequest(`--option ${text}: expected name=value`)
    options.set(name, value)
  }
  for (const [flag, name] of OPTION_FLAGS) {
    const text = given[flag]
    if (typeof text === 'string') options.set(name, text)
  }
  return options
}

function textsOf(given: Readonly<Record<string, string | boolean | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string | string[]] => typeof entry[1] !== 'boolean'),
  )
}
