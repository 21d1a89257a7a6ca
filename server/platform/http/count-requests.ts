import type { FastifyInstance } from 'fastify'
import { countRequest } from '../metrics.ts'

/** Counts requests by route rather than by URL, which would make unlimited series. */
export function countRequests(app: FastifyInstance) {
  app.addHook('onResponse', async (request, reply) => {
    countRequest({
      method: request.method,
      route: toRoute(request.routeOptions.url),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    })
  })
}

/** The web app's files count as one route. */
function toRoute(url: string | undefined): string {
  if (url === undefined) return 'none'
  return /^\/(api|healthz|readyz|images)(\/|$)/.test(url) ? url : 'web'
}
