import type { Json, JsonObject } from '../json/json.ts'
import {
  anyJson,
  anyObject,
  boolean,
  constant,
  integer,
  listOf,
  mapOf,
  number,
  object,
  oneOf,
  orNull,
  refTo,
  type Schema,
  type SchemaNode,
  text,
  type ValueOf,
} from '../json/schema.ts'

// What the API answers, once: schemas of its description, and types for whoever makes the answers and for the explorer, which reads them.

const lengths = listOf(integer({ minimum: 0 }))
const url = (description: string) => text({ format: 'uri', description })

/** A codec or a data type, as Zarr v3 spells it. */
export type NamedConfiguration = {
  readonly name: string
  readonly configuration?: Json
  readonly must_understand?: boolean
}

/** The type is that of codecs, which here always are objects. */
const extension = <Value = NamedConfiguration>(): Schema<Value> => ({
  description: 'A name, or a name with its configuration',
  anyOf: [
    text(),
    object({ name: text(), configuration: anyObject(), must_understand: boolean() }, [
      'configuration',
      'must_understand',
    ]),
  ],
})

const PROBLEM: Schema<unknown> = {
  type: 'object',
  description:
    'What went wrong (RFC 9457); further members say where: `option`, `path`, `format`, `offset`, `feature`.',
  properties: {
    type: text({ description: 'A stable name, such as `/problems/source-forbidden`' }),
    title: text(),
    status: integer(),
    detail: text({ description: 'What was found, where, and what was expected' }),
    instance: text({ description: 'The path of the request, with its source as a hash' }),
    source: text({ description: 'The source, without credentials' }),
  },
  required: ['type', 'title', 'status'],
}

const STORE = object(
  {
    url: url("The store's URL, for any Zarr v3 client"),
    pinned: url('The same under the present version of the source, to be cached for ever'),
    source: text({ description: 'The source, without credentials' }),
    format: text(),
    version: text(),
    default_options: mapOf(text(), {
      description: 'Options that this service adds to every URL that does not give them, where it has any',
    }),
  },
  ['default_options'],
)
export type ResolvedStore = ValueOf<typeof STORE>

const DIAGNOSTIC = object(
  { code: text({ description: 'A stable word for programs' }), message: text(), path: text(), values: anyJson() },
  ['path', 'values'],
  { description: 'Something dropped, renamed, guessed or refused while the source was read' },
)
export type DiagnosticJson = ValueOf<typeof DIAGNOSTIC>

const ARRAY_INSPECTION = object({
  shape: lengths,
  data_type: extension<Json>(),
  dimension_names: listOf(text()),
  chunk_shape: lengths,
  chunk_grid: { ...lengths, description: 'How many chunks there are along each dimension' } as typeof lengths,
  edges: oneOf(['padded', 'cropped'], { description: 'How the source stores chunks at the border' }),
  codecs: listOf(extension(), { description: 'What clients are told to decode' }),
  stored: listOf(listOf(extension()), { description: 'The codecs of each encoding of the source' }),
  delivery: listOf(oneOf(['pass', 'envelope', 'peel', 'recode']), {
    description: 'For each encoding, how its chunks become those that `codecs` describes',
  }),
  fill_value: anyJson(),
  fill_value_from: text(),
  sentinels: listOf(object({ value: text(), from: text() }), {
    description: 'What marks missing points, and what says so in the source',
  }),
  attributes: anyObject<JsonObject>(),
})
/** What is known of an array: where its values come from, and what clients are told. */
export type ArrayInspection = ValueOf<typeof ARRAY_INSPECTION>

const INSPECTION = object({
  source: text(),
  format: text(),
  version: text(),
  groups: mapOf(object({ attributes: anyObject<JsonObject>() })),
  arrays: mapOf(refTo('ArrayInspection', ARRAY_INSPECTION)),
  skipped: mapOf(object({ code: text(), reason: text() }), { description: 'Arrays that cannot be served, by path' }),
  warnings: listOf(refTo('Diagnostic', DIAGNOSTIC)),
})
/** What `/inspect` answers. */
export type Inspection = ValueOf<typeof INSPECTION>

const CHUNK_SURVEY = object({
  array: text(),
  grid: lengths,
  first: integer({ minimum: 0 }),
  total: integer({ minimum: 0 }),
  kinds: text({
    pattern: '^[soipa-]*$',
    description:
      'A letter a chunk: s stored, o an object of its own, i in the index itself, p a chunk of another source, a put together, - never written',
  }),
  bytes: listOf(orNull(integer()), { description: 'Stored bytes; null where the index does not tell' }),
  encodings: mapOf(integer(), { description: 'Chunks of another encoding than the first of `stored`' }),
})
/** What `/inspect/chunks` answers: some chunks of an array in C order over its grid. */
export type ChunkSurvey = ValueOf<typeof CHUNK_SURVEY>

const DATASET = object({
  id: text({ pattern: '^[a-z0-9][a-z0-9._-]*$' }),
  title: text(),
  description: text(),
  format: orNull(text(), { description: 'Null while the source cannot be opened' }),
  url: url("The store's URL"),
})
export type DatasetJson = ValueOf<typeof DATASET>

const DATASETS = object({ datasets: listOf(refTo('Dataset', DATASET)) })
export type DatasetsJson = ValueOf<typeof DATASETS>

const OPENING = object({
  status: oneOf(['opening']),
  read: integer({ minimum: 0, description: 'Headers that were read' }),
  of: integer({ minimum: 0, description: 'Headers that are to be read' }),
})
/** How far the opening of a join is. */
export type OpeningJson = ValueOf<typeof OPENING>

const JOINS = object({ posted: boolean({ description: 'Whether documents are taken by POST' }) })
const POSTED_JOIN = object({ url: url("The store's URL") })

const ARRAY_VERIFICATION: Schema<unknown> = {
  type: 'object',
  required: ['result', 'shape', 'type', 'compared', 'chunks', 'values', 'differences'],
  properties: {
    result: oneOf(['confirmed', 'differs', 'not-compared', 'fault'], {
      description: '`fault`: the independent reader is known to be wrong here',
    }),
    shape: lengths,
    type: text(),
    why: text(),
    compared: listOf(text()),
    chunks: anyObject(),
    values: integer(),
    differences: listOf(anyObject()),
    digests: anyObject(),
  },
}

const VERIFY_REPORT = object({
  virtual_zarr: oneOf(['verify/1']),
  source: text(),
  format: text(),
  version: text(),
  at: text(),
  client: text(),
  reader: orNull(text(), { description: 'Null where no reader of the format is known' }),
  sample: number(),
  arrays: mapOf(refTo('ArrayVerification', ARRAY_VERIFICATION)),
  totals: anyObject({ description: 'Arrays by what came of them, and values compared' }),
})

const REFERENCES: Schema<unknown> = {
  type: 'object',
  description: 'References of version 1, as Kerchunk writes them',
  properties: {
    version: constant(1),
    refs: mapOf(
      { anyOf: [text(), { type: 'array', minItems: 1, maxItems: 3, items: { type: ['string', 'integer'] } }] },
      { description: 'By key: a document or bytes as text, or the URL, offset and length of a chunk' },
    ),
    metadata: anyObject({ description: 'What was left out, and why' }),
  },
  required: ['version', 'refs'],
}

const ZARR_GROUP = object(
  {
    zarr_format: constant(3),
    node_type: constant('group'),
    attributes: anyObject(),
    consolidated_metadata: object({
      kind: constant('inline'),
      must_understand: constant(false),
      metadata: mapOf(refTo('ZarrDocument')),
    }),
  },
  ['consolidated_metadata'],
  { description: 'A group of Zarr v3, with the documents of all nodes below it' },
)

const ZARR_ARRAY = object(
  {
    zarr_format: constant(3),
    node_type: constant('array'),
    shape: lengths,
    data_type: extension(),
    chunk_grid: extension(),
    chunk_key_encoding: extension(),
    fill_value: anyJson(),
    codecs: listOf(extension(), { minItems: 1 }),
    attributes: anyObject(),
    dimension_names: listOf(text()),
    storage_transformers: { type: 'array', maxItems: 0 },
  },
  [],
  { description: 'An array of Zarr v3' },
)

/** By the names under which `components.schemas` of the API's description has them. */
export const API_SCHEMAS: Readonly<Record<string, SchemaNode>> = {
  Problem: PROBLEM,
  Store: STORE,
  Inspection: INSPECTION,
  VerifyReport: VERIFY_REPORT,
  ArrayVerification: ARRAY_VERIFICATION,
  ArrayInspection: ARRAY_INSPECTION,
  ChunkSurvey: CHUNK_SURVEY,
  Diagnostic: DIAGNOSTIC,
  Dataset: DATASET,
  Datasets: DATASETS,
  References: REFERENCES,
  Joins: JOINS,
  PostedJoin: POSTED_JOIN,
  Opening: OPENING,
  Live: object({ status: oneOf(['live']) }),
  Ready: object({ status: oneOf(['ready', 'draining', 'out-of-memory']) }),
  ZarrDocument: { oneOf: [refTo('ZarrGroup'), refTo('ZarrArray')] },
  ZarrGroup: ZARR_GROUP,
  ZarrArray: ZARR_ARRAY,
}
