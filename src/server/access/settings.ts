import { ConfigError } from '../config-error.ts'
import { type ApiKey, readApiKeys } from './api-keys.ts'
import { type Rate, readRate } from './rate-limit.ts'

/** Parts of the service that can be closed to everybody, by the first segment of their paths. */
const CLOSABLE: readonly string[] = [
  'metrics',
  'inspect',
  'resolve',
  'export',
  'datasets',
  'joins',
  'docs',
  'openapi.json',
]

/** Who may ask what, and how much of it (PROC-2); everything is off unless it is set. */
export interface AccessSettings {
  readonly apiKeys: readonly ApiKey[]
  /** The first signs, all are taken. */
  readonly signingKeys: readonly string[]
  readonly rate: Rate | undefined
  /** Requests of all clients that are under way at one origin; 0: not counted. */
  readonly sourceConcurrency: number
  readonly closed: readonly string[]
}

interface Given {
  listed(key: string): readonly string[]
  text(key: string): string | undefined
  wholeNumber(key: string, fallback: number, least: number, most: number): number
}

/** Reads the settings of access; no message shows a key. */
export function readAccess(given: Given): AccessSettings {
  const rate = given.text('VZ_RATE_LIMIT')
  return {
    apiKeys: readApiKeys(given.listed('VZ_API_KEYS'), 'VZ_API_KEYS'),
    signingKeys: readSigningKeys(given.listed('VZ_SIGNING_KEYS'), 'VZ_SIGNING_KEYS'),
    rate: rate === undefined ? undefined : readRate(rate, 'VZ_RATE_LIMIT'),
    sourceConcurrency: given.wholeNumber('VZ_SOURCE_CONCURRENCY', 0, 0, 10_000),
    closed: readClosed(given.listed('VZ_CLOSED_PATHS'), 'VZ_CLOSED_PATHS'),
  }
}

/** Shorter ones could be found by trying. */
const LEAST_SIGNING_KEY = 32
const MOST_SIGNING_KEYS = 8

function readSigningKeys(keys: readonly string[], setting: string): readonly string[] {
  if (keys.length > MOST_SIGNING_KEYS) throw new ConfigError(setting, `more than ${MOST_SIGNING_KEYS} keys`)
  const short = keys.findIndex((key) => key.length < LEAST_SIGNING_KEY)
  if (short >= 0) throw new ConfigError(setting, `key ${short + 1} has fewer than ${LEAST_SIGNING_KEY} characters`)
  return keys
}

function readClosed(names: readonly string[], setting: string): readonly string[] {
  const other = names.find((name) => !CLOSABLE.includes(name))
  if (other !== undefined) throw new ConfigError(setting, `${other} is none of ${CLOSABLE.join(', ')}`)
  return names
}
