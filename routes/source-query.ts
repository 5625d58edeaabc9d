import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../src/errors.ts'
import { type Schema, text, type ValueOf } from '../src/json/schema.ts'
import type { OptionTexts } from '../src/service/store-options.ts'
import { SOURCE_URL } from './route-schema.ts'

type Members = Readonly<Record<string, Schema<unknown>>>
type Optional<M extends Members> = { readonly [Name in keyof M]?: ValueOf<M[Name]> }

/** Options of a store: all that a query has besides the parameters that a route names. */
const STORE_OPTIONS = { type: 'object', additionalProperties: { type: 'string' } } as const

/** The query of routes that describe a source: its `url`, options of its store, and these parameters. */
export function sourceQuery<const M extends Members>(members: M): Schema<{ readonly url: string } & Optional<M>> {
  return { ...STORE_OPTIONS, properties: { url: SOURCE_URL, ...members }, required: ['url'] }
}

const STORE_SEGMENT = text({
  minLength: 1,
  description:
    "Instead of `url` and options: a catalog id, or any `{source}[;option=value]…` of a store's URL as it stands there",
  examples: ['sea-surface'],
})

/** The query of routes that take the name of a store, too, instead of its source. */
export function namedSourceQuery<const M extends Members, const Required extends keyof M & string = never>(
  members: M,
  required: readonly Required[] = [],
): Schema<
  { readonly store?: string; readonly url?: string } & Optional<Omit<M, Required>> & {
      readonly [Name in Required]: ValueOf<M[Name]>
    }
> {
  const url = text({ minLength: 1, description: 'Absolute URL of the source' })
  return { ...STORE_OPTIONS, properties: { store: STORE_SEGMENT, url, ...members }, required }
}

/** The `url` of a query, and all else in it as store options, but for the parameters of the route. */
export function sourceOf(
  request: FastifyRequest | { readonly query: object },
  others: readonly string[] = [],
): { url: string; options: OptionTexts } {
  const options = new Map<string, string>()
  let url: string | undefined
  for (const [name, value] of Object.entries(request.query as Readonly<Record<string, string>>)) {
    if (name === 'url') url = value
    else if (!others.includes(name)) options.set(name, value)
  }
  if (url === undefined) throw invalidRequest('the parameter url is missing', { option: 'url' })
  return { url, options }
}

/** Throws where a query has other parameters than these. */
export function withoutParameters(query: object, known: readonly string[]): void {
  const other = Object.keys(query).find((name) => !known.includes(name))
  if (other !== undefined)
    throw invalidRequest(`${other} can't stand beside store, which names its options itself`, { option: other })
}
