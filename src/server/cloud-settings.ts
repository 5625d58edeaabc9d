import { resolve } from 'node:path'
import { isVirtualZarrError } from '../errors.ts'
import type { Cloud, CloudPlace } from '../source/clouds/cloud.ts'
import { CLOUDS, cloudOf } from '../source/clouds/registry.ts'
import type { CloudSettings, CredentialSettings, PrefixSettings, SecretText } from '../source/clouds/settings.ts'
import { parseUrlPrefix } from '../source/url-prefix.ts'
import { ConfigError } from './config-error.ts'

/** What object stores need of the configuration. */
export interface CloudConfig {
  /** Settings by their own names. */
  readonly settings: ReadonlyMap<string, string>
  /** `credentials:` of the configuration file. */
  readonly credentials: unknown
  /** The folder that files named there count from. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Reads what an operator says of object stores (CLOUD-2); no message shows what may be a secret. */
export function readCloudSettings(config: CloudConfig): CloudSettings {
  const { credentials } = config
  if (credentials !== undefined && credentials !== null && !Array.isArray(credentials)) {
    throw new ConfigError('credentials', 'expected a list')
  }
  const entries: readonly unknown[] = credentials ?? []
  return {
    places: Object.fromEntries(CLOUDS.map(({ name }) => [name, placeOf(name, config.settings)])),
    prefixes: entries.map((entry, at) => readPrefix(entry, `credentials[${at}]`, config)),
  }
}

/** `VZ_S3_ENDPOINT` and its kin. */
function placeOf(name: Cloud['name'], settings: ReadonlyMap<string, string>): CloudPlace {
  const key = (member: string) => `VZ_${name.toUpperCase()}_${member}`
  const endpoint = settings.get(key('ENDPOINT'))
  const pathStyle = settings.get(key('PATH_STYLE'))
  return {
    ...(endpoint === undefined ? {} : { endpoint: endpointOf(endpoint, key('ENDPOINT')) }),
    ...(pathStyle === undefined ? {} : { pathStyle: truthOf(pathStyle, key('PATH_STYLE')) }),
    ...(settings.has(key('REGION')) ? { region: regionOf(settings.get(key('REGION')), key('REGION')) } : {}),
  }
}

/** Which members each kind of credentials needs, and which it may have. */
const SECRETS: Readonly<Record<CredentialSettings['kind'], { readonly needs: string[]; readonly may: string[] }>> = {
  anonymous: { needs: [], may: [] },
  default: { needs: [], may: [] },
  static: { needs: ['access_key_id', 'secret_access_key'], may: ['session_token'] },
  bearer: { needs: ['token'], may: [] },
  sas: { needs: ['token'], may: [] },
  'service-account': { needs: ['key'], may: [] },
  'shared-key': { needs: ['account_key'], may: [] },
}
const OF_PLACE = ['prefix', 'kind', 'endpoint', 'region', 'path_style', 'requester_pays']

type Members = ReadonlyMap<string, unknown>

function readPrefix(entry: unknown, at: string, config: CloudConfig): PrefixSettings {
  if (typeof entry !== 'object' || entry === null) throw new ConfigError(at, 'expected a mapping with prefix and kind')
  const members: Members = new Map(Object.entries(entry).filter(([, value]) => value !== null))
  const { prefix, cloud } = prefixOf(members.get('prefix'), `${at}.prefix`)
  const kind = members.get('kind') ?? 'anonymous'
  if (!isKind(kind) || !cloud.kinds.includes(kind)) {
    throw new ConfigError(`${at}.kind`, `expected one of ${cloud.kinds.join(', ')} for ${cloud.name}`)
  }
  const { needs, may } = SECRETS[kind]
  const ofPlace = cloud.name === 'gs' ? [...OF_PLACE, 'project'] : OF_PLACE
  for (const name of members.keys()) {
    if ([...ofPlace, ...needs, ...may].includes(name)) continue
    throw new ConfigError(`${at}.${name}`, `there is no such member of kind ${kind}`)
  }
  const secret = (name: string) => secretOf(members.get(name), `${at}.${name}`, config)
  const place = readPlace(members, at)
  const needsProject = cloud.name === 'gs' && place.requesterPays === true && kind !== 'service-account'
  if (needsProject && place.project === undefined) {
    throw new ConfigError(`${at}.project`, 'expected the project that pays for what is read')
  }
  return { prefix, place, credentials: credentialsOf(kind, secret, members) }
}

function prefixOf(value: unknown, at: string): { readonly prefix: string; readonly cloud: Cloud } {
  const cloud = typeof value === 'string' ? cloudOf(value.toLowerCase().replace(/\/\/.*$/s, '')) : undefined
  if (typeof value !== 'string' || cloud === undefined) {
    throw new ConfigError(at, 'expected the prefix of an object store, such as s3://bucket/')
  }
  try {
    parseUrlPrefix(value, at)
  } catch (error) {
    if (isVirtualZarrError(error)) throw new ConfigError(at, error.message.slice(`${at}: `.length))
    throw error
  }
  return { prefix: value, cloud }
}

function isKind(value: unknown): value is CredentialSettings['kind'] {
  return typeof value === 'string' && Object.hasOwn(SECRETS, value)
}

function credentialsOf(
  kind: CredentialSettings['kind'],
  secret: (name: string) => SecretText,
  members: Members,
): CredentialSettings {
  switch (kind) {
    case 'anonymous':
    case 'default':
      return { kind }
    case 'static': {
      const sessionToken = members.has('session_token') ? secret('session_token') : undefined
      return { kind, accessKeyId: secret('access_key_id'), secretAccessKey: secret('secret_access_key'), sessionToken }
    }
    case 'bearer':
    case 'sas':
      return { kind, token: secret('token') }
    case 'service-account':
      return { kind, key: secret('key') }
    case 'shared-key':
      return { kind, accountKey: secret('account_key') }
  }
}

/** A secret as it stands, of the environment, or in a file, which may be written anew while the service runs. */
function secretOf(value: unknown, at: string, { environment, folder }: CloudConfig): SecretText {
  if (typeof value === 'string' && value !== '') return { text: value }
  const [[name, of] = [], ...others] = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (typeof of === 'string' && of !== '' && others.length === 0) {
    if (name === 'file') return { file: resolve(folder, of) }
    const text = name === 'env' ? environment[of] : undefined
    if (text !== undefined && text !== '') return { text }
    if (name === 'env') throw new ConfigError(at, `the environment variable ${of} is not set`)
  }
  throw new ConfigError(at, 'expected text, { env: NAME } or { file: PATH }')
}

function readPlace(members: Members, at: string): CloudPlace {
  const given = (name: string, read: (value: unknown, at: string) => unknown, member: string) =>
    members.has(name) ? { [member]: read(members.get(name), `${at}.${name}`) } : {}
  return {
    ...given('endpoint', endpointOf, 'endpoint'),
    ...given('region', regionOf, 'region'),
    ...given('path_style', truthOf, 'pathStyle'),
    ...given('requester_pays', truthOf, 'requesterPays'),
    ...given('project', projectOf, 'project'),
  }
}

/** Where clouds tell machines their secrets: never a place of objects, whoever says so. */
const METADATA_HOSTS = /^(?:169\.254\.\d+\.\d+|168\.63\.129\.16|100\.100\.100\.200|\[fd00:ec2::254\]|\[fe80:.*\])$/

function endpointOf(value: unknown, at: string): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === ''
  if (!isPlain) throw new ConfigError(at, 'expected an http(s) URL without user and query')
  if (METADATA_HOSTS.test(url.hostname)) throw new ConfigError(at, 'this address tells machines their secrets')
  return url
}

function regionOf(value: unknown, at: string): string {
  if (typeof value !== 'string' || !/^[a-z0-9-]{1,40}$/.test(value))
    throw new ConfigError(at, 'expected a region such as eu-west-1')
  return value
}

/** An identifier, a number, or one of a domain: `example.com:project`. */
function projectOf(value: unknown, at: string): string {
  if (typeof value !== 'string' || !/^[a-z0-9.:-]{1,100}$/.test(value)) throw new ConfigError(at, 'expected a project')
  return value
}

function truthOf(value: unknown, at: string): boolean {
  if (value === true || value === 'true' || value === '1') return true
  if (value === false || value === 'false' || value === '0') return false
  throw new ConfigError(at, 'expected true or false')
}
