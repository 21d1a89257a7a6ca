import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { type Endpoint, type Endpoints, errorsOf, isForStaff, type Received, type Reply } from '../../../shared/endpoint.ts'
import { ERROR_STATUS, type ErrorCode, errorBody } from '../../../shared/errors.ts'
import { MORE_HEADER, TOTAL_COUNT_HEADER } from '../../../shared/limits.ts'
import type { Ctx } from '../context.ts'
import type { ShareName } from '../shares.ts'
import type { Api } from './api.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint's declaration; tests check replies against it. */
    endpoint?: Endpoint
  }
}

/** `request` and `reply` are for what a declaration cannot express: cookies, streams, a raw body. */
type Call<E> = Received<E> & { ctx: Ctx; request: FastifyRequest; reply: FastifyReply }
type Handlers<D> = { [R in keyof D]: (call: Call<D[R]>) => Promise<Reply<D[R]> | FastifyReply> }
/** Settings that concern only the server: the shares of the caller that a call uses up, and limits. */
type RouteSettings = {
  share?: ShareName | readonly ShareName[]
  config?: Omit<FastifyContextConfig, 'access' | 'endpoint' | 'shares'>
  bodyLimit?: number
}

/** Adds each declared endpoint to Fastify; access, validation, description and reply follow from the declaration. */
export function mount<const D extends Endpoints>(
  app: Api,
  declared: D,
  handlers: Handlers<D>,
  settings: { [R in keyof D]?: RouteSettings } = {},
) {
  for (const [route, endpoint] of Object.entries<Endpoint>(declared)) {
    const [method = '', url = ''] = route.split(' ')
    const { share = [], config, ...limits }: RouteSettings = settings[route as keyof D] ?? {}
    const shares = [share].flat() as ShareName[]
    if (isForStaff(endpoint.access) && method !== 'GET') shares.push('staff work')
    const handle = handlers[route as keyof D] as (call: Call<Endpoint>) => Promise<unknown>
    app.route({
      method,
      url,
      ...limits,
      config: { ...config, access: endpoint.access, endpoint, shares },
      schema: schemaOf(endpoint, method),
      // Undeclared errors are still sent; the tests detect them.
      serializerCompiler: (part) => (Number(part.httpStatus) >= 400 ? JSON.stringify : serializerCompiler(part as never)),
      handler: async (request, reply) => {
        const { params, query, body, headers } = request
        const call = {
          params,
          query,
          body,
          headers,
          request,
          reply,
          get ctx() {
            return request.ctx
          },
        }
        const answer = await handle(call as Call<Endpoint>)
        if (!endpoint.list) return answer
        const { rows, total, more = false } = answer as { rows: unknown[]; total: number; more?: boolean }
        void reply.header(TOTAL_COUNT_HEADER, total)
        if (more) void reply.header(MORE_HEADER, 'true')
        return rows
      },
    })
  }
}

function schemaOf(endpoint: Endpoint, method: string) {
  const { id, tag, summary, description, hidden = false, params, query, body, headers, reply } = endpoint
  const success = reply === 'csv' ? { 'text/csv': { schema: z.string() } } : { 'application/json': { schema: reply } }
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    hide: hidden,
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(headers && { headers }),
    response: { 200: { description: 'Done.', content: success }, ...errorReplies(errorsOf(endpoint, method)) },
  }
}

/** Many endpoints have the same, and making schemas takes a good part of a start. */
const repliesByCodes = new Map<string, ReturnType<typeof makeErrorReplies>>()

function errorReplies(codes: ErrorCode[]) {
  const key = codes.join()
  const replies = repliesByCodes.get(key) ?? makeErrorReplies(codes)
  repliesByCodes.set(key, replies)
  return replies
}

function makeErrorReplies(codes: ErrorCode[]) {
  const byStatus = Object.groupBy(codes, (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, some = []]) => {
      const schema = z.extend(errorBody, { code: z.enum(some as [ErrorCode, ...ErrorCode[]]) })
      return [status, { description: some.join(', '), content: { 'application/json': { schema } } }]
    }),
  )
}
