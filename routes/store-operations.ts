import {
  type ApiNode,
  chunkAnswers,
  documentAnswers,
  type Operation,
  parameterRef,
  responseRef,
  schemaRef,
  sourceAnswers,
} from './operation.ts'

const header = (description: string, schema: ApiNode = { type: 'string' }): ApiNode => ({ description, schema })

/** Headers of an answer with content. */
const CONTENT_HEADERS: ApiNode = {
  ETag: header('Strong: of this version of the source, this key and this coding'),
  'Cache-Control': header('`no-cache` (to be asked for again), or `immutable` under `;version=`'),
  'Accept-Ranges': header('`bytes`'),
  'Content-Length': header('Exact', { type: 'integer' }),
}
const PART_HEADERS: ApiNode = { ...CONTENT_HEADERS, 'Content-Range': header('Which bytes of how many') }

const NOT_MODIFIED: ApiNode = {
  description: 'The client holds this ETag',
  headers: { ETag: header('The one that is held'), 'Cache-Control': header('As of the content') },
}
const MOVED: ApiNode = {
  description: 'To the same URL with its final slash',
  headers: { Location: header('The path with its final slash') },
}
const INDEX_PAGE: ApiNode = {
  description: 'A page with relative links: `zarr.json`, and what is below with a final slash',
  content: { 'text/html': { schema: { type: 'string' } } },
}

const binary: ApiNode = { schema: { type: 'string', format: 'binary' } }

/** Answers of the paths below, as `components.responses` names them. */
export const STORE_RESPONSES: ApiNode = {
  IndexPage: INDEX_PAGE,
  Moved: MOVED,
  NotModified: NOT_MODIFIED,
  Document: {
    description: 'The document, as the specification of Zarr v3 has it',
    headers: { ...CONTENT_HEADERS, Link: header('The same under `;version=`, with `rel="canonical"`') },
    content: { 'application/json': { schema: schemaRef('ZarrDocument') } },
  },
  DocumentPart: {
    description: 'The part of the document that a single `Range` asked for',
    headers: PART_HEADERS,
    content: { 'application/json': {} },
  },
  Chunk: {
    description: 'The chunk, as the `codecs` of its array say',
    headers: CONTENT_HEADERS,
    content: { 'application/octet-stream': binary },
  },
  ChunkPart: {
    description: 'The part of the chunk that a single `Range` asked for',
    headers: PART_HEADERS,
    content: { 'application/octet-stream': binary },
  },
}

const STORE = [parameterRef('Store')]
const NODE = [...STORE, parameterRef('Path')]
const CONDITIONS = [parameterRef('Range'), parameterRef('IfRange'), parameterRef('IfNoneMatch')]

function documentOperation(operationId: string, summary: string, place: readonly ApiNode[]): Operation {
  return {
    operationId,
    summary,
    description: 'Compressed when asked for (zstd, br, gzip); ranges are of the plain document.',
    tags: ['stores'],
    parameters: [...place, ...CONDITIONS, parameterRef('AcceptEncoding')],
    responses: documentAnswers({
      200: responseRef('Document'),
      206: responseRef('DocumentPart'),
      304: responseRef('NotModified'),
    }),
  }
}

function chunkOperation(operationId: string, summary: string, place: readonly ApiNode[]): Operation {
  return {
    operationId,
    summary,
    description:
      '404 means that the chunk was never written and reads as `fill_value`, and nothing else. Never compressed.',
    tags: ['stores'],
    parameters: [...place, ...CONDITIONS],
    responses: chunkAnswers({
      200: responseRef('Chunk'),
      206: responseRef('ChunkPart'),
      304: responseRef('NotModified'),
    }),
  }
}

function pageOperation(operationId: string, summary: string, place: readonly ApiNode[]): Operation {
  const description =
    'Clients without consolidated metadata list by it. `PROPFIND` of depth 0 and 1 (RFC 4918) tells the same.'
  return {
    operationId,
    summary,
    description,
    tags: ['stores'],
    parameters: place,
    responses: sourceAnswers({ 200: responseRef('IndexPage') }),
  }
}

function movedOperation(operationId: string, summary: string, place: readonly ApiNode[]): Operation {
  return {
    operationId,
    summary,
    tags: ['stores'],
    parameters: place,
    responses: sourceAnswers({ 308: responseRef('Moved') }),
  }
}

/** The paths below `/zarr/`, which the router knows only as a wildcard. */
export const STORE_OPERATIONS: Readonly<Record<string, Operation>> = {
  '/zarr/{store}': movedOperation('getStore', 'A store, by its URL without the final slash', STORE),
  '/zarr/{store}/': pageOperation('listStore', 'The index page of a store', STORE),
  '/zarr/{store}/zarr.json': documentOperation(
    'getStoreMetadata',
    'The metadata of a store, with that of all below it',
    STORE,
  ),
  '/zarr/{store}/c/{chunk}': chunkOperation('getStoreChunk', 'A chunk of a store that is one array', [
    ...STORE,
    parameterRef('Chunk'),
  ]),
  '/zarr/{store}/{path}': movedOperation('getNode', 'A group or an array, by its URL without the final slash', NODE),
  '/zarr/{store}/{path}/': pageOperation('listNode', 'The index page of a group or an array', NODE),
  '/zarr/{store}/{path}/zarr.json': documentOperation('getNodeMetadata', 'The metadata of a group or an array', NODE),
  '/zarr/{store}/{path}/c': chunkOperation('getScalar', 'The only chunk of a scalar', NODE),
  '/zarr/{store}/{path}/c/{chunk}': chunkOperation('getChunk', 'A chunk of an array', [...NODE, parameterRef('Chunk')]),
}

const ifThere = (name: string, description: string, example: string): ApiNode => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
  example,
})

/** Parameters of the paths above, as `components.parameters` names them. */
export const STORE_PARAMETERS: ApiNode = {
  Store: {
    name: 'store',
    in: 'path',
    required: true,
    description:
      'The source: a catalog id, `~` and the base64url of its URL (as `/resolve` answers), or its URL percent-encoded; then ' +
      'any options, as `;name=value` (those of `/resolve`, percent-encoded)',
    schema: { type: 'string', minLength: 1 },
    examples: {
      catalog: { value: 'sea-surface' },
      options: { value: 'sea-surface;codecs=raw;variables=sst' },
      url: { value: '~aHR0cHM6Ly9leGFtcGxlLm9yZy9kYXRhLm5j' },
    },
  },
  Path: {
    name: 'path',
    in: 'path',
    required: true,
    description: 'The path of a group or an array in the store; slashes stay as they are (`group/array`)',
    schema: { type: 'string', minLength: 1 },
    example: 'sst',
  },
  Chunk: {
    name: 'chunk',
    in: 'path',
    required: true,
    description: 'The position in the chunk grid, one number for each dimension, with slashes between them (`0/3/1`)',
    schema: { type: 'string', pattern: '^(0|[1-9][0-9]*)(/(0|[1-9][0-9]*))*$' },
    example: '0/0/0',
  },
  Range: ifThere('Range', 'A single range of bytes: bounded, open or a suffix', 'bytes=0-1023'),
  IfRange: ifThere('If-Range', 'The ETag that the range is of; of another one all is sent', '"abc"'),
  IfNoneMatch: ifThere('If-None-Match', 'ETags that the client holds', '"abc"'),
  AcceptEncoding: ifThere('Accept-Encoding', 'zstd, br, gzip', 'gzip'),
}
