import type { FastifyInstance } from 'fastify'
import { countRequest } from '../metrics.ts'

/** Counts every request by its route, never by its address, of which there are as many as customers. */
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

/** Each file of the web app has a route of its own; together they are one. */
function toRoute(url: string | undefined): string {
  if (url === undefined) return 'none'
  return /^\/(api|healthz|readyz|images)(\/|$)/.test(url) ? url : 'web'
}
