import type { SchemaNode } from '../src/json/schema.ts'
import {
  CHUNK_PROBLEMS,
  DOCUMENT_PROBLEMS,
  parameterRef,
  responseRef,
  SOURCE_PROBLEMS,
  schemaRef,
  type Tag,
  withProblems,
} from './route-schema.ts'

// The paths below `/zarr/`, which the router knows only as a wildcard: an encoded slash and a slash are not the same there, so the handler
// reads the target as it came (`parseStoreTarget`). What it answers is described here.

/** An operation object of OpenAPI 3.1. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly Tag[]
  readonly parameters?: readonly SchemaNode[]
  readonly responses: SchemaNode
  /** What a POST to the same path does. */
  readonly post?: SchemaNode
}

const header = (description: string, schema: SchemaNode = { type: 'string' }): SchemaNode => ({ description, schema })

/** Headers of an answer with content. */
const CONTENT_HEADERS: SchemaNode = {
  ETag: header('Strong: of this version of the source, this key and this coding'),
  'Cache-Control': header('`no-cache` (to be asked for again), or `immutable` under `;version=`'),
  'Accept-Ranges': header('`bytes`'),
  'Content-Length': header('Exact', { type: 'integer' }),
}
const PART_HEADERS: SchemaNode = { ...CONTENT_HEADERS, 'Content-Range': header('Which bytes of how many') }

const NOT_MODIFIED: SchemaNode = {
  description: 'The client holds this ETag',
  headers: { ETag: header('The one that is held'), 'Cache-Control': header('As of the content') },
}
const MOVED: SchemaNode = {
  description: 'To the same URL with its final slash',
  headers: { Location: header('The path with its final slash') },
}
const INDEX_PAGE: SchemaNode = {
  description: 'A page with relative links: `zarr.json`, and what is below with a final slash',
  content: { 'text/html': { schema: { type: 'string' } } },
}

const binary: SchemaNode = { schema: { type: 'string', format: 'binary' } }

/** Answers of the paths below, as `components.responses` names them. */
export const STORE_RESPONSES: SchemaNode = {
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

function documentOperation(operationId: string, summary: string, place: readonly SchemaNode[]): Operation {
  return {
    operationId,
    summary,
    description: 'Compressed when asked for (zstd, br, gzip); ranges are of the plain document.',
    tags: ['stores'],
    parameters: [...place, ...CONDITIONS, parameterRef('AcceptEncoding')],
    responses: withProblems(
      {
        200: responseRef('Document'),
        206: responseRef('DocumentPart'),
        304: responseRef('NotModified'),
      },
      DOCUMENT_PROBLEMS,
    ),
  }
}

function chunkOperation(operationId: string, summary: string, place: readonly SchemaNode[]): Operation {
  return {
    operationId,
    summary,
    description:
      '404 means that the chunk was never written and reads as `fill_value`, and nothing else. Never compressed.',
    tags: ['stores'],
    parameters: [...place, ...CONDITIONS],
    responses: withProblems(
      {
        200: responseRef('Chunk'),
        206: responseRef('ChunkPart'),
        304: responseRef('NotModified'),
      },
      CHUNK_PROBLEMS,
    ),
  }
}

function pageOperation(operationId: string, summary: string, place: readonly SchemaNode[]): Operation {
  const description =
    'Clients without consolidated metadata list by it. `PROPFIND` of depth 0 and 1 (RFC 4918) tells the same.'
  return {
    operationId,
    summary,
    description,
    tags: ['stores'],
    parameters: place,
    responses: withProblems({ 200: responseRef('IndexPage') }, SOURCE_PROBLEMS),
  }
}

function movedOperation(operationId: string, summary: string, place: readonly SchemaNode[]): Operation {
  return {
    operationId,
    summary,
    tags: ['stores'],
    parameters: place,
    responses: withProblems({ 308: responseRef('Moved') }, SOURCE_PROBLEMS),
  }
}

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

const ifThere = (name: string, description: string, example: string): SchemaNode => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
  example,
})

/** Parameters of the paths above, as `components.parameters` names them. */
export const STORE_PARAMETERS: SchemaNode = {
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
