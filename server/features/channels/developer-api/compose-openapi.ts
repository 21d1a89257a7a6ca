import * as z from 'zod/mini'
import { TEST_OUTCOMES, V1, type V1Route } from '../../../../shared/developer-api.ts'

const COMMON = [401, 403, 429, 500, 503]
const MEANINGS: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The key does not work',
  402: 'The balance is too low',
  403: 'The key lacks the scope, or does not work from this IP address',
  404: 'There is no such thing of yours',
  409: 'The price changed, the offer is not available, it is on its way already (only if you asked), or the Idempotency-Key was used with another request',
  413: 'The request is too large',
  415: 'The request is no JSON, or its Content-Type does not say so',
  429: 'Too many requests: wait as long as the header Retry-After says',
  500: 'Our fault',
  503: 'Try again in a moment, with the same Idempotency-Key',
}

const DESCRIPTION = `Buy data bundles from your own programs. Every request carries a key: \`Authorization: Bearer dw_live_…\`. Keys that begin
with \`dw_test_\` try everything out and never move money. Amounts are cedis as text with two decimals. Errors are
\`application/problem+json\` (RFC 9457) with a stable \`code\`. Lists are read page by page with \`cursor\`.

What becomes of a test order follows from the last four digits of its receiver:

| receiver | what happens |
|---|---|
${Object.entries(TEST_OUTCOMES)
  .map(([ends, what]) => `| \`…${ends}\` | ${what} |`)
  .join('\n')}
| any other | delivered after a few seconds |`

/** The description of the developer API as OpenAPI 3.1, for any generator of clients. */
export function composeOpenApi(shopName: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const name of Object.keys(V1) as V1Route[]) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${shopName} developer API`,
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/v1', description: 'This shop' }],
    tags: [{ name: 'api', description: 'Balance, catalogue, orders and lists of orders' }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key from My Dashboard, API.' } },
      schemas: { Problem: problem },
      headers: {
        'Request-Id': { description: 'Tell us this number when you ask about a call', schema: { type: 'string' } },
        ...Object.fromEntries(
          Object.entries({
            'RateLimit-Limit': 'Requests that a key has at once',
            'RateLimit-Remaining': 'Those that are left',
            'RateLimit-Reset': 'Seconds until all are there again',
          }).map(([name, description]) => [name, { description, schema: { type: 'integer' } }]),
        ),
      },
    },
  }
}

const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string', description: 'What is wrong, as a sentence' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'What is wrong, for programs: it never changes' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    requestId: { type: 'string' },
  },
}

const HEADERS = Object.fromEntries(
  ['Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
)

function operation(name: V1Route) {
  const declared: { params?: z.core.$ZodType; query?: z.core.$ZodType; body?: z.core.$ZodType; writes?: true } & (typeof V1)[V1Route] =
    V1[name]
  const { id, summary, scope, writes, params, query, body, reply, errors } = declared
  const parameters = [
    ...parametersOf(params, 'path'),
    ...parametersOf(query, 'query'),
    ...(writes
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: true,
            description:
              'Your own name for this purchase. The same key and request get the same purchase again, and nothing is charged twice.',
            schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,140}$' },
          },
          {
            name: 'If-On-The-Way',
            in: 'header',
            description:
              'With `ask`, nothing is bought while the same bundle is pending for the same number: 409 with the code ON_THE_WAY. Send it again without this header to buy it all the same.',
            schema: { type: 'string', enum: ['ask'] },
          },
        ]
      : []),
  ]
  return {
    operationId: id,
    tags: ['api'],
    summary,
    description: `Needs the scope \`${scope}\`.`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: toJson(body, 'input') } } } }),
    responses: {
      [writes ? 201 : 200]: { description: 'Done', headers: HEADERS, content: { 'application/json': { schema: toJson(reply, 'output') } } },
      ...Object.fromEntries(
        [...errors, ...COMMON].map((status) => [
          status,
          {
            description: MEANINGS[status],
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        ]),
      ),
    },
  }
}

function parametersOf(schema: z.core.$ZodType | undefined, place: 'path' | 'query') {
  if (!schema) return []
  const { properties = {}, required = [] } = toJson(schema, 'output') as { properties?: Record<string, object>; required?: string[] }
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: one,
  }))
}

function toJson(schema: z.core.$ZodType, io: 'input' | 'output'): object {
  const {
    $schema: _,
    '~standard': __,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Its format says it; the pattern that Zod adds fills a page.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      // Replies may gain fields.
      if (io === 'output') delete jsonSchema.additionalProperties
    },
  }) as Record<string, unknown>
  return json
}
