import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { safeEncode } from 'zod/v4/core'
import { errorsOf } from '../shared/endpoint.ts'
import { ERROR_STATUS, errorBody } from '../shared/errors.ts'

/** Builds an app that checks each reply against its endpoint's declaration, strictly. `wrong` fills as calls are made. */
export async function checkReplies<App>(build: () => Promise<App>): Promise<{ app: App; wrong: ReadonlySet<string> }> {
  const wrong = new Set<string>()
  const addHooks = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    // The handler's reply before the schema strips undeclared fields.
    fastify.addHook('preSerialization', async (request, reply, payload) => {
      if (!(payload instanceof Buffer)) note(request, reply, payload)
      return payload
    })
    // What was sent as text already, such as the catalogue.
    fastify.addHook('onSend', async (request, reply, payload) => {
      const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
      if (typeof payload === 'string' && payload !== '' && isJson) note(request, reply, JSON.parse(payload))
      return payload
    })
  }
  const note = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const problem = problemOf(request, reply.statusCode, payload)
    if (problem) wrong.add(`${request.method} ${request.routeOptions.url} replied ${reply.statusCode}: ${problem}`)
  }
  subscribe('fastify.initialization', addHooks)
  try {
    return { app: await build(), wrong }
  } finally {
    unsubscribe('fastify.initialization', addHooks)
  }
}

function problemOf(request: FastifyRequest, status: number, payload: unknown): string | null {
  const { endpoint } = request.routeOptions.config
  if (!endpoint) return null
  const sent: unknown = JSON.parse(JSON.stringify(payload))
  if (status >= 400) {
    const { data, error } = errorBody.safeParse(sent)
    if (error || !isDeepStrictEqual(data, sent)) return `not an error body: ${JSON.stringify(sent)}`
    if (ERROR_STATUS[data.code] !== status) return `${data.code} has another status`
    // An agent's own host name has few of the addresses, whatever they would reply elsewhere.
    if (status === 404 && request.agentShop) return null
    return errorsOf(endpoint, request.method).includes(data.code) ? null : `${data.code} is not declared`
  }
  if (endpoint.reply === 'csv') return `JSON instead of CSV`
  const { data, error } = safeEncode(endpoint.reply, payload as never)
  if (error) return error.message
  return isDeepStrictEqual(JSON.parse(JSON.stringify(data)), sent) ? null : `fields that are not declared: ${JSON.stringify(sent)}`
}
