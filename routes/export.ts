import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { invalidRequest } from '../src/errors.ts'
import { exportedBytes, exportKerchunk } from '../src/service/export/export.ts'
import { exportIcechunk } from '../src/service/export/icechunk/export.ts'
import { exportParquet } from '../src/service/export/parquet.ts'
import { storedZip } from '../src/service/export/stored-zip.ts'
import { roomOf } from '../src/service/room.ts'
import { addressOfUrl } from '../src/service/store-address.ts'
import type { RouteContext } from './context.ts'
import { type Operation, schemaRef, sourceAnswers, sourceParameters } from './operation.ts'
import { signalOf } from './request.ts'
import { sourceQuery } from './source-query.ts'

/** For documents that are being made: each is held as a whole until its client has it. */
const MOST_EXPORTED_BYTES = 2 ** 28

/** `/export`: references that other tools read, as a document or as an archive of a Parquet set or a repository. */
export function exportRoute(app: FastifyInstance, context: RouteContext): void {
  const room = roomOf(MOST_EXPORTED_BYTES)
  app.get('/export', { config: { operation: EXPORT } }, async (request, reply) => {
    const { url, options } = sourceQuery(request, ['to'])
    const to = (request.query as Record<string, unknown>)['to'] ?? 'kerchunk'
    if (to !== 'kerchunk' && to !== 'kerchunk-parquet' && to !== 'icechunk') {
      throw invalidRequest('to is none of kerchunk, kerchunk-parquet, icechunk', { option: 'to' })
    }
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

const EXPORT: Operation = {
  operationId: 'exportReferences',
  summary: 'The manifest as references for other tools',
  tags: ['sources'],
  parameters: [
    ...sourceParameters,
    {
      name: 'to',
      in: 'query',
      description: 'A JSON document; or a zip archive: of a Parquet set, or of an Icechunk repository',
      schema: { type: 'string', enum: ['kerchunk', 'kerchunk-parquet', 'icechunk'], default: 'kerchunk' },
    },
  ],
  responses: sourceAnswers({
    200: {
      description: 'The references',
      content: {
        'application/json': { schema: schemaRef('References') },
        'application/zip': { schema: { type: 'string', format: 'binary' } },
      },
    },
  }),
}
