import { ConfigError } from '../config-error.ts'

/** Where traces go, and which requests are traced: the variables of OpenTelemetry, as its own packages read them. */
export interface TracingSettings {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, string>>
  /** Of requests without a traceparent, so large a part. */
  readonly ratio: number
  /** Whether who asks may decide, by the flag of its traceparent. */
  readonly followsParent: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Undefined where nothing says where to send traces to. */
export function readTracing(environment: Environment): TracingSettings | undefined {
  const endpoint = endpointOf(environment)
  if (endpoint === undefined || environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined
  const { OTEL_EXPORTER_OTLP_PROTOCOL: protocol = 'http/json', OTEL_SERVICE_NAME: name } = environment
  if (protocol !== 'http/json' && protocol !== 'http/protobuf')
    throw new ConfigError('OTEL_EXPORTER_OTLP_PROTOCOL', `${protocol} is not spoken here: http/json`)
  const headers = environment['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] || environment['OTEL_EXPORTER_OTLP_HEADERS']
  const resource = pairs(environment['OTEL_RESOURCE_ATTRIBUTES'])
  return {
    endpoint,
    headers: pairs(headers),
    attributes: { ...resource, 'service.name': name || resource['service.name'] || 'virtual-zarr-server' },
    ...samplerOf(environment),
  }
}

function endpointOf(environment: Environment): string | undefined {
  const own = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const base = environment['OTEL_EXPORTER_OTLP_ENDPOINT']
  const [key, text] = own ? ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own] : ['OTEL_EXPORTER_OTLP_ENDPOINT', base]
  if (!text) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new ConfigError(key, 'expected an http(s) URL')
  if (own) return url.href
  return `${url.href.replace(/\/$/, '')}/v1/traces`
}

/** `name=value,name=value`, percent-encoded as in W3C Baggage. */
function pairs(text = ''): Record<string, string> {
  const entries = text.split(',').map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair))
  return Object.fromEntries(
    entries.flatMap((match) => (match === null ? [] : [[match[1] ?? '', unescaped(match[2] ?? '')]])),
  )
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function samplerOf(environment: Environment): Pick<TracingSettings, 'ratio' | 'followsParent'> {
  const { OTEL_TRACES_SAMPLER: sampler = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: argument = '1' } =
    environment
  const [, parentBased, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(sampler) ?? []
  if (kind === undefined) throw new ConfigError('OTEL_TRACES_SAMPLER', `${sampler} is not known here`)
  const ratio = kind === 'always_on' ? 1 : kind === 'always_off' ? 0 : Number(argument)
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError('OTEL_TRACES_SAMPLER_ARG', `${argument} is no number from 0 to 1`)
  return { ratio, followsParent: parentBased !== undefined }
}
