import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { TAGS } from '../../../shared/endpoint.ts'
import { compress, once, send } from './compressed.ts'
import { joined, pauser, writeJson, writeYaml } from './write-slowly.ts'

const OPENAPI = '3.1.0'

const API_DESCRIPTION = `Money is in cedis, a JSON number with at most two decimals.

## Realtime

A [Socket.IO](https://socket.io) channel (protocol 5) at the shop's origin and at \`/api\`: \`io(origin)\`, \`io(origin + '/api')\`, or the path
\`/api/socket.io/\`. The session's token goes into the handshake's \`auth\` as \`{ token }\` or into the Authorization header as
\`Bearer …\`, never into the address. A handshake is refused with \`UNAUTHENTICATED\`, \`TOO_MANY\` or \`UNAVAILABLE\`. A client that reconnects reads afresh.

| event | to | carries |
|---|---|---|
| \`CurrUserUpdated\` | the user alone | their own record, balance included |
| \`userUpdated\` | admins | a user |
| \`noticeUpdated\` | all | the notice |
| \`productsUpdated\` | all | a product that is new or changed; one that is gone comes once more, out of stock and with \`deleted: true\` |
| \`ordersUpdated\` | the buyer and admins | an order |
| \`rechargeUpdated\` | the asker and admins | a recharge request |
| \`paymentUpdated\` | the payer | a card payment |`

/** Serves the API description at `/api/docs`. Call this before adding routes. */
export async function registerOpenApi(app: FastifyInstance, shopName: string) {
  const described: RouteOptions[] = []
  const transformed = new Map<unknown, ReturnType<typeof jsonSchemaTransform>>()
  app.addHook('onRoute', (route) => {
    described.push(route)
  })
  await app.register(swagger, {
    openapi: {
      openapi: OPENAPI,
      info: {
        title: `${shopName} API`,
        version: '1',
        description: API_DESCRIPTION,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'This shop' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    },
    transform: (given) => transformed.get(given.schema) ?? jsonSchemaTransform(given),
  })
  // It takes seconds, so it is made piece by piece at the first request, and once.
  const description = once(async () => {
    const pause = pauser()
    for (const { schema, url } of described) {
      if (!schema) continue
      transformed.set(schema, jsonSchemaTransform({ schema, url, openapiObject: { openapi: OPENAPI } } as never))
      await pause()
    }
    return app.swagger() as object
  })
  const json = once(async () => compress((await joined(writeJson(await description()))).join('')))
  const yaml = once(async () => compress((await joined(writeYaml(await description()))).join('')))
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    uiHooks: {
      // It is over a megabyte, and the plugin would write it anew for everyone who asks.
      preHandler: async (request, reply) => {
        const format = /\/(json|yaml)$/.exec(request.routeOptions.url ?? '')?.[1]
        if (!format) return
        void reply.type(format === 'json' ? 'application/json; charset=utf-8' : 'application/x-yaml')
        return send(request, reply, await (format === 'json' ? json : yaml)())
      },
    },
  })
}
