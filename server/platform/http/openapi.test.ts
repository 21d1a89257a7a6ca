import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createConfig, lintFromString, parseYaml } from '@redocly/openapi-core'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { expect, test, vi } from 'vitest'
import { routes } from '../../../shared/api.ts'
import { TAGS } from '../../../shared/endpoint.ts'
import type { Api } from './api.ts'
import { mount } from './mount.ts'
import { registerOpenApi } from './openapi.ts'

type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security?: unknown
  responses: Record<string, { description: string }>
}

/** The description alone needs no handler that does anything. */
async function openDescribed() {
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await registerOpenApi(app, 'Dwadi')
  const handlers = Object.fromEntries(Object.keys(routes).map((route) => [route, async () => ({})]))
  await app.register(async (api) => mount(api as unknown as Api, routes, handlers as never), { prefix: '/api' })
  await app.ready()
  return app
}

async function describeApi() {
  return (await openDescribed()).swagger() as unknown as {
    servers: unknown[]
    tags: { name: string }[]
    paths: Record<string, Record<string, Operation>>
  }
}

test('the description names server and groups, and for each operation a unique id, a summary and every error by its code', async () => {
  const { servers, tags, paths } = await describeApi()
  expect(servers).toEqual([{ url: '/', description: 'This shop' }])
  expect(tags.map(({ name }) => name)).toEqual(Object.keys(TAGS))
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(40)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { operationId, summary, tags, responses } of operations) {
    expect([operationId, summary !== '', tags.length]).toEqual([operationId, true, 1])
    expect(responses['429']?.description).toContain('TOO_MANY_REQUESTS')
  }
  const approve = paths['/api/recharge/{id}/approve']?.put
  expect(Object.keys(approve?.responses ?? {})).toEqual(['200', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503'])
  expect(approve?.responses['409']?.description).toBe('ALREADY_DECIDED, SECOND_PERSON_NEEDED')
})

/** One address could mean either path of a pair: their word is no id and no token. Those of orders and users are the specification's. */
const AMBIGUOUS = [
  ['/api/order/update-status/{id}', '/api/order/{id}/report'],
  ['/api/user/reset-password/{token}', '/api/user/{id}/level'],
  ['/api/user/reset-password/{token}', '/api/user/{id}/status'],
  ['/api/order/update-status/{id}', '/api/order/{id}/refund-to-source'],
  ['/api/order/update-status/{id}', '/api/order/{id}/checkers'],
  ['/api/order/{id}/afa', '/api/order/update-status/{id}'],
].map(([one, other]) => `Paths should resolve unambiguously. Found two ambiguous paths: \`${one}\` and \`${other}\`.`)

test('both descriptions keep the rules that Redocly recommends', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const developerApi = await readFile(resolve(import.meta.dirname, '../../../docs/developer-api.json'), 'utf8')
  const [ofTheShop, ofPrograms] = await Promise.all(
    [JSON.stringify(await describeApi()), developerApi].map((source) => lintFromString({ source, config, absoluteRef: 'openapi.json' })),
  )
  expect(ofPrograms).toEqual([])
  expect(ofTheShop?.map(({ message }) => message).sort()).toEqual(AMBIGUOUS.sort())
})

test.each(['json', 'yaml'])('the description as %s is written and compressed once, and has an ETag', async (format) => {
  const app = await openDescribed()
  const written = vi.spyOn(app, 'swagger')
  const read = (headers = {}) => app.inject({ url: `/api/docs/${format}`, headers })
  const plain = await read()
  const packed = await read({ 'accept-encoding': 'gzip' })
  const known = await read({ 'if-none-match': plain.headers.etag })
  expect([plain.statusCode, packed.statusCode, known.statusCode, known.body]).toEqual([200, 200, 304, ''])
  expect(plain.body).toContain('/api/recharge/{id}/approve')
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
  expect(written.mock.calls.length).toBeLessThanOrEqual(1)
})

test('the description is made beside other work, and says the same in YAML as in JSON', async () => {
  const app = await openDescribed()
  // However slow the machine is: others have their turn all the time.
  let turns = 0
  let goesOn = true
  const takeTurns = () => {
    turns += 1
    if (goesOn) setImmediate(takeTurns)
  }
  setImmediate(takeTurns)
  const [json, yaml] = await Promise.all(['json', 'yaml'].map((format) => app.inject({ url: `/api/docs/${format}` })))
  goesOn = false
  expect(turns).toBeGreaterThan(100)
  const described = json?.json()
  expect(described).toEqual(JSON.parse(JSON.stringify(app.swagger())))
  expect(parseYaml(yaml?.body ?? '')).toEqual(described)
})
