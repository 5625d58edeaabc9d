import { AggregatorRegistry } from 'prom-client'
import type { HeldDocuments } from '../../service/join/held-documents.ts'
import type { AccessControl } from '../access/access-control.ts'
import type { Metrics } from '../metrics.ts'
import type { WorkerLink } from './link.ts'

// What is done together by the processes of one service.

interface Shared {
  readonly documents: HeldDocuments
  readonly metrics: Metrics
  readonly access: AccessControl | undefined
}

/** From now on this process answers the others, and tells them what clients have used up. */
export function joinOthers(link: WorkerLink, { documents, metrics, access }: Shared): void {
  link.serve({
    metrics: async () => JSON.stringify(await metrics.json()),
    hold: async (document) => await documents.post(document),
    taken: (client, count) => access?.spend(client, count),
  })
  if (access !== undefined) access.onTaken = (client) => link.took(client)
}

/** The metrics of all processes as those of one. */
export function metricsOfAll(own: Metrics, link: WorkerLink): Pick<Metrics, 'contentType' | 'text'> {
  return {
    contentType: own.contentType,
    async text() {
      const others = await link.ask({ kind: 'metrics' })
      const all = [await own.json(), ...others.map((json) => JSON.parse(json) as object)]
      return await AggregatorRegistry.aggregate(all).metrics()
    },
  }
}

/** Documents that all processes hold once the first of them has answered: the next request may come to any. */
export function withLink(documents: HeldDocuments, link: WorkerLink | undefined): Pick<HeldDocuments, 'post'> {
  if (link === undefined) return documents
  return {
    post: async (bytes) => {
      const url = await documents.post(bytes)
      await link.ask({ kind: 'hold', document: Buffer.from(bytes).toString('base64') })
      return url
    },
  }
}
