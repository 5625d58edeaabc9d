import { type ApiNode, schemaRef } from './operation.ts'

const text: ApiNode = { type: 'string' }
const texts: ApiNode = { type: 'array', items: text }
const lengths: ApiNode = { type: 'array', items: { type: 'integer', minimum: 0 } }
const anything: ApiNode = {}
const url: ApiNode = { type: 'string', format: 'uri' }

/** Every member is required but those named as optional, and there are no others. */
function object(properties: ApiNode, optional: readonly string[] = [], description?: string): ApiNode {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  const about = description === undefined ? {} : { description }
  return { type: 'object', ...about, properties, required, additionalProperties: false }
}

const mapOf = (values: ApiNode): ApiNode => ({ type: 'object', additionalProperties: values })
const status = (...words: readonly string[]): ApiNode => object({ status: { type: 'string', enum: words } })

const extension = {
  description: 'A name, or a name with its configuration',
  anyOf: [
    text,
    object({ name: text, configuration: { type: 'object' }, must_understand: { type: 'boolean' } }, [
      'configuration',
      'must_understand',
    ]),
  ],
} as const

/** Data types of answers, by the names under which `components.schemas` has them. */
export const SCHEMAS: ApiNode = {
  Problem: {
    type: 'object',
    description:
      'What went wrong (RFC 9457); further members say where: `option`, `path`, `format`, `offset`, `feature`.',
    properties: {
      type: { type: 'string', description: 'A stable name, such as `/problems/source-forbidden`' },
      title: text,
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What was found, where, and what was expected' },
      instance: { type: 'string', description: 'The path of the request, with its source as a hash' },
      source: { type: 'string', description: 'The source, without credentials' },
    },
    required: ['type', 'title', 'status'],
  },
  Store: object(
    {
      url: { ...url, description: "The store's URL, for any Zarr v3 client" },
      pinned: { ...url, description: 'The same under the present version of the source, to be cached for ever' },
      source: { type: 'string', description: 'The source, without credentials' },
      format: text,
      version: text,
      default_options: {
        ...mapOf(text),
        description: 'Options that this service adds to every URL that does not give them, where it has any',
      },
    },
    ['default_options'],
  ),
  Inspection: object({
    source: text,
    format: text,
    version: text,
    groups: mapOf(object({ attributes: { type: 'object' } })),
    arrays: mapOf(schemaRef('ArrayInspection')),
    skipped: { ...mapOf(object({ code: text, reason: text })), description: 'Arrays that cannot be served, by path' },
    warnings: { type: 'array', items: schemaRef('Diagnostic') },
  }),
  VerifyReport: object({
    virtual_zarr: { type: 'string', enum: ['verify/1'] },
    source: text,
    format: text,
    version: text,
    at: text,
    client: text,
    reader: { type: ['string', 'null'], description: 'Null where no reader of the format is known' },
    sample: { type: 'number' },
    arrays: mapOf(schemaRef('ArrayVerification')),
    totals: { type: 'object', description: 'Arrays by what came of them, and values compared' },
  }),
  ArrayVerification: {
    type: 'object',
    required: ['result', 'shape', 'type', 'compared', 'chunks', 'values', 'differences'],
    properties: {
      result: {
        type: 'string',
        enum: ['confirmed', 'differs', 'not-compared', 'fault'],
        description: '`fault`: the independent reader is known to be wrong here',
      },
      shape: lengths,
      type: text,
      why: text,
      compared: texts,
      chunks: { type: 'object' },
      values: { type: 'integer' },
      differences: { type: 'array', items: { type: 'object' } },
      digests: { type: 'object' },
    },
  },
  ArrayInspection: object({
    shape: lengths,
    data_type: extension,
    dimension_names: texts,
    chunk_shape: lengths,
    chunk_grid: { ...lengths, description: 'How many chunks there are along each dimension' },
    edges: { type: 'string', enum: ['padded', 'cropped'], description: 'How the source stores chunks at the border' },
    codecs: { type: 'array', items: extension, description: 'What clients are told to decode' },
    stored: {
      type: 'array',
      items: { type: 'array', items: extension },
      description: 'The codecs of each encoding of the source',
    },
    delivery: {
      type: 'array',
      items: { type: 'string', enum: ['pass', 'envelope', 'peel', 'recode'] },
      description: 'For each encoding, how its chunks become those that `codecs` describes',
    },
    fill_value: anything,
    fill_value_from: text,
    sentinels: {
      type: 'array',
      items: object({ value: text, from: text }),
      description: 'What marks missing points, and what says so in the source',
    },
    attributes: { type: 'object' },
  }),
  ChunkSurvey: object({
    array: text,
    grid: lengths,
    first: { type: 'integer', minimum: 0 },
    total: { type: 'integer', minimum: 0 },
    kinds: {
      type: 'string',
      pattern: '^[soipa-]*$',
      description:
        'A letter a chunk: s stored, o an object of its own, i in the index itself, p a chunk of another source, a put together, - never written',
    },
    bytes: {
      type: 'array',
      items: { type: ['integer', 'null'] },
      description: 'Stored bytes; null where the index does not tell',
    },
    encodings: { ...mapOf({ type: 'integer' }), description: 'Chunks of another encoding than the first of `stored`' },
  }),
  Diagnostic: object(
    {
      code: { type: 'string', description: 'A stable word for programs' },
      message: text,
      path: text,
      values: anything,
    },
    ['path', 'values'],
    'Something dropped, renamed, guessed or refused while the source was read',
  ),
  Dataset: object({
    id: { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]*$' },
    title: text,
    description: text,
    format: { type: ['string', 'null'], description: 'Null while the source cannot be opened' },
    url: { ...url, description: "The store's URL" },
  }),
  Datasets: object({ datasets: { type: 'array', items: schemaRef('Dataset') } }),
  References: {
    type: 'object',
    description: 'References of version 1, as Kerchunk writes them',
    properties: {
      version: { type: 'integer', const: 1 },
      refs: {
        type: 'object',
        description: 'By key: a document or bytes as text, or the URL, offset and length of a chunk',
        additionalProperties: {
          anyOf: [text, { type: 'array', minItems: 1, maxItems: 3, items: { type: ['string', 'integer'] } }],
        },
      },
      metadata: { type: 'object', description: 'What was left out, and why' },
    },
    required: ['version', 'refs'],
  },
  Joins: object({ posted: { type: 'boolean', description: 'Whether documents are taken by POST' } }),
  PostedJoin: object({ url: { ...url, description: "The store's URL" } }),
  Opening: object({
    status: { type: 'string', enum: ['opening'] },
    read: { type: 'integer', minimum: 0, description: 'Headers that were read' },
    of: { type: 'integer', minimum: 0, description: 'Headers that are to be read' },
  }),
  Live: status('live'),
  Ready: status('ready', 'draining', 'out-of-memory'),
  ZarrDocument: { oneOf: [schemaRef('ZarrGroup'), schemaRef('ZarrArray')] },
  ZarrGroup: object(
    {
      zarr_format: { type: 'integer', const: 3 },
      node_type: { type: 'string', const: 'group' },
      attributes: { type: 'object' },
      consolidated_metadata: object({
        kind: { type: 'string', const: 'inline' },
        must_understand: { type: 'boolean', const: false },
        metadata: mapOf(schemaRef('ZarrDocument')),
      }),
    },
    ['consolidated_metadata'],
    'A group of Zarr v3, with the documents of all nodes below it',
  ),
  ZarrArray: object(
    {
      zarr_format: { type: 'integer', const: 3 },
      node_type: { type: 'string', const: 'array' },
      shape: lengths,
      data_type: extension,
      chunk_grid: extension,
      chunk_key_encoding: extension,
      fill_value: anything,
      codecs: { type: 'array', items: extension, minItems: 1 },
      attributes: { type: 'object' },
      dimension_names: texts,
      storage_transformers: { type: 'array', maxItems: 0 },
    },
    [],
    'An array of Zarr v3',
  ),
}
