import { unsupported } from '../../../errors.ts'

/** Files that virtual chunks are in, by what their URLs begin with: readers must be told from where they may read. */
export class Containers {
  /** By origin or bucket: the longest folder that all of its files lie in. */
  readonly #prefixes = new Map<string, string>()

  /** A URL as Icechunk spells it, whose folder is noted. */
  location(url: string): string {
    const location = spelled(new URL(url))
    const [root = ''] = /^[a-z]+:\/\/[^/]*\//.exec(location) ?? []
    const folder = location.slice(0, location.lastIndexOf('/') + 1)
    const known = this.#prefixes.get(root)
    this.#prefixes.set(root, known === undefined ? folder : sharedFolder(known, folder))
    return location
  }

  /** `config.yaml` of a repository of format 1. */
  configuration(): string {
    const containers = [...this.#prefixes.values()].map(
      (prefix) =>
        `  ${JSON.stringify(prefix)}:\n    name: null\n    url_prefix: ${JSON.stringify(prefix)}\n    store: ${storeOf(prefix)}\n`,
    )
    return containers.length === 0 ? '{}\n' : `virtual_chunk_containers:\n${containers.join('')}`
  }
}

function sharedFolder(one: string, other: string): string {
  let end = 0
  while (end < one.length && one[end] === other[end]) end++
  return one.slice(0, one.lastIndexOf('/', end - 1) + 1)
}

/** Accounts of Azure stand in the configuration of a container, and not in its locations. */
function spelled({ protocol, pathname, host, href }: URL): string {
  switch (protocol) {
    case 'http:':
    case 'https:':
    case 's3:':
    case 'gs:':
    case 'file:':
      return href
    case 'az:':
      return `az:/${pathname}`
  }
  throw unsupported('location', `${protocol}//${host} is no place that Icechunk reads virtual chunks from`)
}

const S3 = `!s3
      region: null
      endpoint_url: null
      anonymous: false
      allow_http: false
      force_path_style: false
      network_stream_timeout_seconds: 60
      requester_pays: false`

function storeOf(prefix: string): string {
  const { protocol, pathname } = new URL(prefix)
  switch (protocol) {
    case 'http:':
      return '!http\n      allow_http: "true"'
    case 'https:':
      return '!http {}'
    case 's3:':
      return S3
    case 'gs:':
      return '!gcs {}'
    case 'file:':
      return `!local_file_system ${JSON.stringify(decodeURIComponent(pathname))}`
  }
  return '!azure {}'
}
