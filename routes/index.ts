import type { FastifyInstance } from 'fastify'
import type { RouteContext } from './context.ts'
import { exportRoute } from './export.ts'
import { joinRoutes } from './joins.ts'
import { serviceRoutes } from './service.ts'
import { storeRoutes } from './stores.ts'
import { verifyRoute } from './verify.ts'
import { webdavRoutes } from './webdav.ts'
import { zarrRoutes } from './zarr.ts'

/** Everything the server answers to. */
export function registerRoutes(app: FastifyInstance, context: RouteContext): void {
  serviceRoutes(app, context)
  storeRoutes(app, context)
  exportRoute(app, context)
  joinRoutes(app, context)
  verifyRoute(app, context)
  zarrRoutes(app, context)
  webdavRoutes(app, context)
}
