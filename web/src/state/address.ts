/** A source and the options that the address names: what `{source}[;option=value]…` says. */
export interface Address {
  /** A catalog id, or an absolute URL. */
  readonly source: string
  /** `name=value` pairs, separated by semicolons, as they stand in a store's URL. */
  readonly options: string
}

const IS_ID = /^[a-z0-9][a-z0-9._-]*$/

/** The part of a store's URL that names it. */
export function segmentOf({ source, options }: Address): string {
  const named = IS_ID.test(source) ? source : `~${toBase64url(source)}`
  return options === '' ? named : `${named};${options}`
}

/** The same source with an option in place of the one of its name. */
export function withOption({ source, options }: Address, option: string): Address {
  const name = `${option.split('=')[0]}=`
  const others = options.split(';').filter((each) => each !== '' && !each.startsWith(name))
  return { source, options: [...others, option].join(';') }
}

/** What a segment of a store's URL names; undefined where it names nothing. */
export function addressOfSegment(segment: string): Address | undefined {
  const [name = '', ...options] = decoded(segment).split(';')
  const source = name.startsWith('~') ? fromBase64url(name.slice(1)) : name
  return source === undefined || source === '' ? undefined : { source, options: options.join(';') }
}

/**
 * What a person may paste: the URL of a source, that of a store of this service, or a catalog id.
 */
export function addressOfText(text: string, service: URL): Address | undefined {
  const given = text.trim()
  if (given === '') return undefined
  const stores = new URL('zarr/', service).href
  if (given.startsWith(stores)) return addressOfSegment(given.slice(stores.length).split('/')[0] ?? '')
  return { source: given, options: '' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function toBase64url(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64url(text: string): string | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)))
  } catch {
    return undefined
  }
}
