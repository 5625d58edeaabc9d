import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { invalidRequest } from '../src/errors.ts'
import { exportKerchunk } from '../src/service/export.ts'
import { exportParquet } from '../src/service/export-parquet.ts'
import { addressOfUrl } from '../src/service/store-address.ts'
import { storedZip } from '../src/service/stored-zip.ts'
import type { RouteContext } from './context.ts'
import { sourceQuery, urlQuery } from './source-query.ts'

/** `/export`: references that other tools read, as a document or as an archive of a Parquet set. */
export function exportRoute(app: FastifyInstance, context: RouteContext): void {
  const exportQuery = {
    ...urlQuery,
    properties: {
      ...urlQuery.properties,
      to: {
        type: 'string',
        description: 'kerchunk (default): a JSON document; kerchunk-parquet: a zip archive of a Parquet set',
      },
    },
  } as const
  app.get(
    '/export',
    { schema: { summary: 'The manifest as references for other tools', tags: ['stores'], querystring: exportQuery } },
    async (request, reply) => {
      const { url, options } = sourceQuery(request, ['to'])
      const to = (request.query as Record<string, unknown>)['to'] ?? 'kerchunk'
      if (to !== 'kerchunk' && to !== 'kerchunk-parquet') {
        throw invalidRequest('to is none of kerchunk, kerchunk-parquet', { option: 'to' })
      }
      const address = addressOfUrl(url, new Map([...options, ['codecs', 'native']]))
      const description = await context.stores.describe(address)
      if (to === 'kerchunk') {
        const { pieces } = await exportKerchunk(description)
        return reply.type('application/json').send(Readable.from(pieces.map((piece) => Buffer.from(piece))))
      }
      const archive = storedZip(exportParquet(description))
      // What can't be exported at all is refused before the first byte.
      const first = await archive.next()
      reply.header('content-disposition', 'attachment; filename="references.zip"')
      return reply.type('application/zip').send(Readable.from(startingWith(first, archive)))
    },
  )
}

async function* startingWith<T>(first: IteratorResult<T, void>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done !== true) yield first.value
  yield* rest
}
