import { pathToFileURL } from 'node:url'
import { type Format, OWN_FORMAT } from '../formats/format.ts'
import { formats as builtFormats } from '../formats/registry.ts'
import { ConfigError } from './config-error.ts'

/** The formats that modules export, under whatever names: they run as the server's own code (docs/writing-a-format.md). */
export async function ownFormats(paths: readonly string[]): Promise<readonly Format[]> {
  const found: Format[] = []
  for (const path of paths) {
    const exported = Object.values(await loaded(path)).filter(isFormat)
    if (exported.length === 0)
      throw new ConfigError('VZ_FORMATS', `${path} exports no format: an object with name, recognises and parse`)
    found.push(...exported)
  }
  return found
}

async function loaded(path: string): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object
  } catch (cause) {
    throw new ConfigError(
      'VZ_FORMATS',
      `${path} can't be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
}

function isFormat(value: unknown): value is Format {
  if (typeof value !== 'object' || value === null) return false
  const { name, recognises, parse } = value as Partial<Record<keyof Format, unknown>>
  return typeof name === 'string' && typeof recognises === 'function' && typeof parse === 'function'
}

/** Own formats, and behind them those that are built in. */
export function withOwnFormats(own: readonly Format[]): readonly Format[] {
  const names = new Set<string>()
  for (const { name } of own) {
    if (!/^x-[a-z0-9][a-z0-9-]{0,61}$/.test(name))
      throw new ConfigError(
        'VZ_FORMATS',
        `the name ${name} of a format must be ${OWN_FORMAT} and a word of a-z, 0-9 and dashes`,
      )
    if (names.has(name)) throw new ConfigError('VZ_FORMATS', `two formats are called ${name}`)
    names.add(name)
  }
  return [...own, ...builtFormats]
}
