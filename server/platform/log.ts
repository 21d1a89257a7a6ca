import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, type LoggerOptions, pino } from 'pino'

export type Log = FastifyBaseLogger

/** Structured logs to standard output or `to`. Secrets and personal data are redacted wherever they occur. */
export function createLog(level: string, to?: DestinationStream): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: withoutPeople },
    serializers: {
      err: (error: unknown) => withoutValues(pino.stdSerializers.err(error as Error)),
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
  }
  return to ? pino(options, to) : pino(options)
}

/** Writes one line of each kind in `everyMs`, with how many others there were: a flood would push out of the log what else happens. */
export function warnSparingly(everyMs: number) {
  const kinds = new Map<string, { at: number; left: number }>()
  return (log: Pick<Log, 'warn'>, details: object, message: string, kind = message) => {
    const last = kinds.get(kind)
    const now = performance.now()
    if (last && now - last.at < everyMs) {
      last.left += 1
      return
    }
    kinds.set(kind, { at: now, left: 0 })
    log.warn({ ...details, ...(last && last.left > 0 && { othersSinceTheLast: last.left }) }, message)
  }
}

/** PostgreSQL puts row contents and statement values into fields beside the message. */
function withoutValues<E>(error: E): E {
  if (typeof error !== 'object' || error === null) return error
  const { detail: _, where: __, parameters: ___, ...rest } = error as Record<string, unknown>
  return rest as E
}

/** The look behind keeps the search linear: without it, a long text without an @ would be read again from each letter. */
const E_MAIL = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const PHONE = /(?<![\w-])(?:\+?233|0)[235]\d{8}(?![\w-])/g
const KEY = /\b(?:[sp]k_(?:live|test)_\w+|dw_(?:live|test)_[\w-]+|whsec_[\w+/=]+|Bearer [\w.-]+)/gi
const PASSWORD_IN_URL = /(?<=:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/g

/** Error messages of services and the database may name a person. */
function withoutPeople(line: string): string {
  return line.replace(PASSWORD_IN_URL, '[left out]').replace(E_MAIL, '[e-mail]').replace(PHONE, '[phone]').replace(KEY, '[key]')
}

/**
 * Removes reset tokens, the supplier webhook's secret and every query string (admins search for phone numbers) from logged
 * URLs.
 */
function withoutSecrets(url: string): string {
  return url.replace(/\?.*$/s, '?[left out]').replace(/(\/reset-password\/|\/supplier\/webhook\/|\/api\/ussd\/)[^/?]+/i, '$1[left out]')
}
