import { unsupported } from '../errors.ts'

/**
 * The address of a file that another one names: beside it or below, and nowhere else (GUARD-5); throws for a name
 * that leads out of the folder.
 */
export function addressBeside(url: string, name: string): string {
  const parts = name.split('/')
  const leadsOut =
    parts.includes('..') || name.startsWith('/') || /^[a-z][a-z0-9+.-]*:|[\\\0%]/i.test(name) || name === ''
  if (leadsOut)
    throw unsupported('external file', `values in ${JSON.stringify(name)}, a file outside of the source's folder`)
  return new URL(parts.map((part) => encodeURIComponent(part)).join('/'), url).href
}
