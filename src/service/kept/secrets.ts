import { NotWritten } from '../../model/recipe.ts'
import { publicUrl } from '../../source/public-url.ts'

/** Shorter texts stand in other texts by chance, and keep nobody out. */
const LEAST_SECRET = 4

/** What must not be written down of a source's URL: who it belongs to, and the values of its query. */
export function secretsOf(text: string): readonly string[] {
  if (!URL.canParse(text) || publicUrl(text) === text) return []
  const url = new URL(text)
  const values = [url.username, url.password, ...url.searchParams.values()]
  const raw = url.search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
  return [...values, ...raw].filter((secret) => secret.length >= LEAST_SECRET)
}

/** Another URL, as long as it holds no secret. */
export function withoutSecrets(url: string): string {
  if (publicUrl(url) === url) return url
  throw new NotWritten('a reference with a query')
}
