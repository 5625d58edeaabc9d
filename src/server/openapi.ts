import { VERSION } from './version.ts'

const problemSchema = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    source: { type: 'string', description: 'The source, without credentials' },
  },
} as const

const storeParameters = [
  {
    name: 'source',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description:
      'A catalog id, `~` + base64url of the source URL, or the percent-encoded source URL; then options as `;name=value`',
  },
  {
    name: 'key',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'A Zarr v3 key: `zarr.json`, `temperature/zarr.json`, `temperature/c/0/0`',
  },
] as const

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const storeResponses = {
  200: {
    description:
      'The document (JSON, consolidated at the root), the chunk as its `codecs` say, or for a folder its listing (HTML)',
  },
  206: { description: 'The part of a chunk or document that a single `Range` asked for' },
  304: { description: 'The client holds this ETag' },
  400: problem('An unknown option, a bad value, a key that climbs, a chunk of what is no array of the store'),
  403: problem('The source may not be read (metadata only)'),
  404: problem('No such node; or a chunk that was never written and reads as `fill_value`. Never a failure'),
  409: problem('The source has changed since its `zarr.json` was read'),
  413: problem('The source is over a limit'),
  415: problem('The format is not recognised'),
  416: problem('The range is outside the chunk or document'),
  422: problem('The source contradicts its format'),
  424: problem('Of a chunk only: its source is gone, denies access or may not be read, which no retry mends'),
  501: problem('Valid, but not supported'),
  502: problem('The origin of the source fails'),
  503: problem('The origin or this server is busy: `Retry-After`'),
  504: problem('The origin of the source is too slow'),
} as const

const storeOperation = (method: string) => ({
  summary: method === 'head' ? 'As GET, without the body' : 'A key of a virtual Zarr v3 store',
  tags: ['zarr'],
  parameters: storeParameters,
  responses: storeResponses,
})

/** What can't be said by route schemas: the service itself, the stores' wildcard, the problem type. */
export const openapiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'virtual-zarr-server',
    version: VERSION,
    description:
      'Serves archival files as virtual Zarr v3 stores: metadata is parsed once, chunks are byte ranges of the source.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  components: { schemas: { Problem: problemSchema } },
} as const

/** The paths below `/zarr/`, which the router knows only as a wildcard. */
export const storePaths = {
  '/zarr/{source}/{key}': { get: storeOperation('get'), head: storeOperation('head') },
}
