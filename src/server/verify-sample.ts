import { invalidRequest } from '../errors.ts'

/** `5%` or `0.05`. */
export function sampleOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text.trim())
  const part = Number(match?.[1] ?? Number.NaN) / (match?.[2] === '%' ? 100 : 1)
  if (part > 0 && part <= 1) return part
  throw invalidRequest(`sample is ${JSON.stringify(text.slice(0, 20))}, expected a part such as 5% or 0.05`, {
    option: 'sample',
  })
}
