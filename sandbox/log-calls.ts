import type { FastifyInstance } from 'fastify'

const CALLS_KEPT = 200

/** A call that a service was sent, without its key and its body. */
export type ServiceCall = { at: string; method: string; url: string; status: number | null }

/** Notes what the service is asked, newest first; the steering of the sandbox itself is left out. */
export function logCalls(app: FastifyInstance, now: () => Date): () => ServiceCall[] {
  let calls: ServiceCall[] = []
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/_control/')) return
    const call: ServiceCall = { at: now().toISOString(), method: request.method, url: withoutKey(request.url), status: null }
    calls = [call, ...calls].slice(0, CALLS_KEPT)
    reply.raw.once('finish', () => {
      call.status = reply.raw.statusCode
    })
  })
  return () => calls
}

function withoutKey(url: string) {
  return url.replace(/([?&]key=)[^&]*/, '$1…')
}
