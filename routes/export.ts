import { Readable } from 'node:stream'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { oneOf } from '../src/json/schema.ts'
import { exportedBytes, exportKerchunk } from '../src/service/export/export.ts'
import { exportIcechunk } from '../src/service/export/icechunk/export.ts'
import { exportParquet } from '../src/service/export/parquet.ts'
import { storedZip } from '../src/service/export/stored-zip.ts'
import { roomOf } from '../src/service/room.ts'
import { addressOfUrl } from '../src/service/store-address.ts'
import type { RouteContext } from './context.ts'
import { signalOf } from './request.ts'
import { SOURCE_PROBLEMS, schemaRef, withSchemaTypes } from './route-schema.ts'
import { sourceOf, sourceQuery } from './source-query.ts'

/** For documents that are being made: each is held as a whole until its client has it. */
const MOST_EXPORTED_BYTES = 2 ** 28

/** `/export`: references that other tools read, as a document or as an archive of a Parquet set or a repository. */
export function exportRoute(app: FastifyInstance, context: RouteContext): void {
  const room = roomOf(MOST_EXPORTED_BYTES)
  withSchemaTypes(app).get('/export', { schema: EXPORT }, async (request, reply) => {
    const { url, options } = sourceOf(request, ['to'])
    const { to = 'kerchunk' } = request.query
    const address = addressOfUrl(url, new Map([...context.defaultOptions, ...options, ['codecs', 'native']]))
    const description = await context.stores.describe(address)
    if (to === 'kerchunk') {
      const leave = await room.enter(exportedBytes(description), signalOf(reply.raw))
      if (reply.raw.destroyed) leave()
      else reply.raw.once('close', leave)
      const { pieces } = await exportKerchunk(description)
      return reply.type('application/json').send(Readable.from(encoded(pieces)))
    }
    const archive = storedZip(to === 'icechunk' ? exportIcechunk(description) : exportParquet(description))
    // What can't be exported at all is refused before the first byte.
    const first = await archive.next()
    reply.header('content-disposition', `attachment; filename="${to === 'icechunk' ? 'repository' : 'references'}.zip"`)
    return reply.type('application/zip').send(Readable.from(startingWith(first, archive)))
  })
}

function* encoded(pieces: readonly string[]): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

async function* startingWith<T>(first: IteratorResult<T, void>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done !== true) yield first.value
  yield* rest
}

const EXPORT = {
  operationId: 'exportReferences',
  summary: 'The manifest as references for other tools',
  tags: ['sources'],
  querystring: sourceQuery({
    to: oneOf(['kerchunk', 'kerchunk-parquet', 'icechunk'], {
      default: 'kerchunk',
      description: 'A JSON document; or a zip archive: of a Parquet set, or of an Icechunk repository',
    }),
  }),
  response: {
    200: {
      description: 'The references',
      content: {
        'application/json': { schema: schemaRef('References') },
        'application/zip': { schema: { type: 'string', format: 'binary' } },
      },
    },
  },
  problems: SOURCE_PROBLEMS,
} as const satisfies FastifySchema
