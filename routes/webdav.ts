import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest } from '../src/errors.ts'
import type { ListingDepth } from '../src/service/listing.ts'
import type { RouteContext } from './context.ts'
import { html } from './html.ts'
import { parseStoreTarget } from './request.ts'

/**
 * PROPFIND (RFC 4918, 9.1): WebDAV clients list by it, and so do those that stand on Rust's object_store (obstore, zarrs).
 * The body, which may name properties, is not read: all there are, are told.
 */
export function webdavRoutes(app: FastifyInstance, context: RouteContext): void {
  app.addHttpMethod('PROPFIND')
  const started = new Date().toUTCString()
  app.route({
    method: 'PROPFIND',
    url: '/zarr/*',
    config: { isHidden: true },
    handler: (request, reply) => answerPropfind(request, reply, context, started),
  })
}

interface Resource {
  /** Below the store's URL; that of a folder ends in a slash, but for the store's own. */
  readonly path: string
  /** Undefined for a folder. */
  readonly file: { readonly length: number; readonly etag: string | undefined; readonly type: string } | undefined
}

async function answerPropfind(
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext,
  lastModified: string,
): Promise<FastifyReply> {
  const target = parseStoreTarget(request.raw.url ?? '')
  const depth = depthOf(request.headers['depth'])
  const resources =
    target === undefined ? undefined : await resourcesAt(target.segment, target.key ?? '', depth, context)
  if (target === undefined || resources === undefined) return reply.callNotFound() as unknown as FastifyReply
  const link = linkOf(request, target.segment, context)
  const members = resources.map(({ path, file }) => responseXml(link(path), file, lastModified))
  const xml = `<?xml version="1.0" encoding="utf-8"?>\n<multistatus xmlns="DAV:">${members.join('')}</multistatus>\n`
  return reply.code(207).type('application/xml; charset=utf-8').header('cache-control', 'no-store').send(xml)
}

/** Without the header it is all there is. */
function depthOf(header: string | string[] | undefined): ListingDepth {
  const text = String(header ?? 'infinity').toLowerCase()
  if (text === '0') return 0
  if (text === '1') return 1
  if (text === 'infinity') return 'infinity'
  throw invalidRequest(`a depth of ${JSON.stringify(text.slice(0, 20))}, expected 0, 1 or infinity`)
}

async function resourcesAt(
  segment: string,
  key: string,
  depth: ListingDepth,
  { addressOf, stores }: RouteContext,
): Promise<readonly Resource[] | undefined> {
  const address = addressOf(segment)
  const answer = key === '' || key.endsWith('/') ? undefined : await stores.get({ address, key, headOnly: true })
  switch (answer?.kind) {
    case undefined:
    case 'moved': {
      const entries = await stores.list(address, key.replace(/\/$/, ''), depth)
      return entries?.map(({ path, document }) => ({
        path,
        file: document && { length: document.bytes.length, etag: document.etag, type: 'application/json' },
      }))
    }
    case 'document': {
      const { bytes, etag } = answer.content
      return [{ path: key, file: { length: bytes.length, etag, type: 'application/json' } }]
    }
    case 'chunk':
      return [{ path: key, file: { length: answer.total, etag: answer.etag, type: 'application/octet-stream' } }]
    default:
      return undefined
  }
}

/** Writes links to what a store holds: paths on this host, as the RFC has them, and escaped for XML. */
function linkOf(request: FastifyRequest, segment: string, context: RouteContext): (path: string) => string {
  if (/\bobject_store\//.test(request.headers['user-agent'] ?? ''))
    return objectStoreLink(request.raw.url ?? '', segment)
  const prefix = new URL(context.publicUrl(request)).pathname.replace(/\/$/, '')
  const { markup } = html`${prefix}/zarr/${segment}/`
  return (path) => markup + encoded(path)
}

/**
 * object_store takes the path of a link for the place below its own base URL, which may be that of a store or of a group: for
 * it links begin there. A base URL that ends in a slash shows, for a second one follows it; without, it is taken for the store's.
 */
function objectStoreLink(target: string, segment: string): (path: string) => string {
  const [asked = ''] = target.slice(`/zarr/${segment}`.length).split('?', 1)
  const end = asked.endsWith('/') ? asked.length - 1 : 0
  const base = asked.slice(0, asked.includes('//') ? asked.indexOf('//') : end)
  const below = parseStoreTarget(`/zarr/${segment}${base}/`)?.key?.length ?? 0
  return (path) => `/${encoded(path.slice(below))}`
}

function encoded(path: string): string {
  return /^[\w/.-]*$/.test(path) ? path : path.split('/').map(encodeURIComponent).join('/').replaceAll("'", '%27')
}

/** Nothing here needs escaping: links are escaped, and ETags and types are ours. There may be thousands. */
function responseXml(href: string, file: Resource['file'], lastModified: string): string {
  const own =
    file === undefined
      ? '<resourcetype><collection/></resourcetype>'
      : `<resourcetype/><getcontentlength>${file.length}</getcontentlength><getcontenttype>${file.type}</getcontenttype>${file.etag === undefined ? '' : `<getetag>${file.etag}</getetag>`}`
  // Some clients insist on a date. When the source was made is not known: its ETag tells one version from another.
  const prop = `${own}<getlastmodified>${lastModified}</getlastmodified>`
  return `<response><href>${href}</href><propstat><prop>${prop}</prop><status>HTTP/1.1 200 OK</status></propstat></response>\n`
}
