import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../src/errors.ts'
import type { OptionTexts } from '../src/service/store-options.ts'

/** The `url` of a query, and all else in it as store options. */
export function sourceQuery(
  request: FastifyRequest,
  others: readonly string[] = [],
): { url: string; options: OptionTexts } {
  const options = new Map<string, string>()
  let url: string | undefined
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (typeof value !== 'string') throw invalidRequest(`${name} is given more than once`, { option: name })
    if (name === 'url') url = value
    else if (!others.includes(name)) options.set(name, value)
  }
  if (url === undefined) throw invalidRequest('the parameter url is missing', { option: 'url' })
  return { url, options }
}

/** Throws where a query has other parameters than these. */
export function withoutParameters(request: FastifyRequest, known: readonly string[]): void {
  const other = Object.keys(request.query as object).find((name) => !known.includes(name))
  if (other !== undefined)
    throw invalidRequest(`${other} can't stand beside store, which names its options itself`, { option: other })
}
