import type { OptionTexts } from '../../service/store-options.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A flag of a command's own. */
export interface Flag {
  /** What its value is, as the help names it; a flag without one is set or not. */
  readonly takes?: string
  readonly meaning: string
  /** The values there are, where they are few. */
  readonly values?: readonly string[]
}

/** What the words behind a command's name say. */
export interface Given {
  /** Those that are no flags. */
  readonly words: readonly string[]
  /** The command's own flags. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  /** Options of a store. */
  readonly options: OptionTexts
  /** Settings of the server, by their flags' names. */
  readonly settings: Readonly<Record<string, string | undefined>>
  readonly environment: Environment
}

/** A command as the help, completion and the reader of its words know it. */
export interface Command {
  readonly name: string
  /** What stands behind the name, flags apart. */
  readonly takes: string
  /** How many words that are. */
  readonly words: { readonly least: number; readonly most: number }
  /** In a few words, for the list of commands. */
  readonly about: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Which others it takes besides: options of a store, or settings of the server. */
  readonly besides?: 'options' | 'settings'
  /** What is to be known, and is no flag's meaning. */
  readonly notes?: string
  /** Resolves with the exit code, or with none for 0. What it needs is loaded when it runs. */
  run(given: Given): Promise<number | undefined>
}

/** The text of a flag; undefined where it was not given. */
export function textOf({ flags }: Given, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** Whether a flag without a value was given. */
export function isGiven({ flags }: Given, name: string): boolean {
  return flags[name] === true
}
