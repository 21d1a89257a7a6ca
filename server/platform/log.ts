import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

export type Log = FastifyBaseLogger

/** Structured logs on standard output, with whatever could open an account left out. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      req: (request: { method: string; url: string; ip?: string }) => ({
        method: request.method,
        url: withoutSecrets(request.url),
        ip: request.ip,
      }),
      res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
    },
    redact: {
      paths: ['password', '*.password', 'token', '*.token'],
      censor: '[left out]',
    },
  })
}

/** A reset link's token opens an account, and a supplier's secret lets anyone wake us: the log keeps the address without them. */
function withoutSecrets(url: string): string {
  return url.replace(/(\/reset-password\/|\/supplier\/webhook\/)[^/?]+/, '$1[left out]')
}
