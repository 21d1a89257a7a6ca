import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { ErrorBody } from '../../../shared/errors.ts'
import { isDatabaseAway, isDatabaseError } from '../db.ts'
import { AppError, Invalid, PinLocked, ServiceUnavailable, TooManyAtOnce, TooManyAttempts } from '../errors.ts'
import { warnSparingly } from '../log.ts'
import { countShareRefused } from '../metrics.ts'
import { fullOf, SHARE_IS_FULL } from '../shares.ts'

/** Maps errors to `{ message, code, issues? }` and reveals nothing else. */
export function registerErrorReplies(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply))
}

/** Replies 404 for an unknown address, or 405 when it takes other methods. */
export function sendNothingHere(request: FastifyRequest, reply: FastifyReply) {
  const methods = request.server.methodsAt(request.url.split('?', 1)[0] as string)
  if (methods.length > 0 && !methods.includes(request.method)) return sendOtherMethod(reply, methods)
  const body: ErrorBody = { message: 'There is nothing at this address.', code: 'NOT_FOUND' }
  return reply.code(404).send(body)
}

export function sendOtherMethod(reply: FastifyReply, methods: readonly string[]) {
  const body: ErrorBody = { message: `This address only takes ${methods.join(', ')}.`, code: 'METHOD_NOT_ALLOWED' }
  return reply.code(405).header('allow', methods.join(', ')).send(body)
}

/** For errors of a route, and for those raised before one is found, such as an URL that cannot be parsed. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = toErrorReply(error, request, reply)
  return reply.code(status).send(body)
}

/** The status and body for an error. Logs what the caller must not learn, and sets `retry-after`. */
export function toErrorReply(error: FastifyError, request: FastifyRequest, reply: FastifyReply): { status: number; body: ErrorBody } {
  const known = toAppError(error)
  if (!known) {
    request.log.error({ err: error }, 'a request failed unexpectedly')
    const body: ErrorBody = {
      message: `Something went wrong on our side and nothing was changed. If it goes on, tell us this number: ${request.id}.`,
      code: 'INTERNAL',
      requestId: request.id,
    }
    return { status: 500, body }
  }
  if (known.status === 503) {
    logNotServed(error, request)
    void reply.header('retry-after', known.code === 'PURCHASES_PAUSED' ? '60' : '2')
  }
  if (known instanceof TooManyAttempts || known instanceof TooManyAtOnce || known instanceof PinLocked)
    void reply.header('retry-after', known.waitSeconds)
  const body: ErrorBody = { message: known.message, code: known.code }
  if (known.issues) body.issues = known.issues
  return { status: known.status, body }
}

const LOGGED_EVERY_MS = 1_000
const warnOf = new WeakMap<FastifyInstance['server'], ReturnType<typeof warnSparingly>>()

/** What we refuse by ourselves needs no stack. */
function logNotServed(error: FastifyError, { server: { server }, log }: FastifyRequest) {
  const warn = warnOf.get(server) ?? warnSparingly(LOGGED_EVERY_MS)
  warnOf.set(server, warn)
  const what = error instanceof AppError ? { code: error.code } : { err: error }
  warn(log, what, 'a request could not be served', error.code ?? error.name)
}

function toAppError(error: FastifyError): AppError | null {
  if (error instanceof AppError) return error
  if (hasZodFastifySchemaValidationErrors(error)) return new Invalid(error.validation.map(toIssue))
  if (isDatabaseError(error, SHARE_IS_FULL)) {
    countShareRefused(error.constraint ?? '')
    return new AppError('CONFLICT', fullOf(error.constraint))
  }
  if (isUnstorableText(error)) return new AppError('INVALID', 'That text holds characters that cannot be kept.')
  if (isDatabaseAway(error) || isDatabaseError(error, '55P03', '57014', '40001', '40P01')) return new ServiceUnavailable()
  if (error.statusCode === 413) return new AppError('TOO_LARGE', 'That is too large to send.')
  if (error.statusCode === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the request as JSON.')
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('INVALID', 'That request could not be read.')
  }
  return null
}

/** PostgreSQL cannot store NUL characters or unpaired surrogates (half of an emoji). */
function isUnstorableText(error: FastifyError): boolean {
  if (isDatabaseError(error, '22021', '22P05')) return true
  return isDatabaseError(error, '22P02') && /^Unicode .* surrogate/.test(error.detail ?? '')
}

function toIssue(validation: { instancePath: string; message?: string }) {
  return {
    path: validation.instancePath.replace(/^\//, '').replaceAll('/', '.'),
    message: validation.message ?? 'That is not valid.',
  }
}
