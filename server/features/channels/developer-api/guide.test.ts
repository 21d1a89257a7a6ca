import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXAMPLE_LANGUAGES, type ExampleLanguage, listExample, orderExamples, WEBHOOK_EXAMPLES } from '../../../../shared/api-examples.ts'
import { V1 } from '../../../../shared/developer-api.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, findProduct, makeUser } from '../../../../test/builders.ts'
import { Api } from '../../../../test/fixtures/developer-api-client.js'
import { signWebhook } from '../../../integrations/webhooks/webhook-gateway.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'

const run = promisify(execFile)

let shop: TestShop
let origin: string
let folder: string
beforeAll(async () => {
  // Test orders are decided by jobs that nothing wakes.
  shop = await openTestShop({ timings: { jobs: QUICK_TIMINGS.jobs } })
  origin = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(join(tmpdir(), 'dwadi-guide-'))
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

const PROGRAMS: Record<ExampleLanguage, { program: string; file: string }> = {
  curl: { program: 'sh', file: 'order.sh' },
  TypeScript: { program: process.execPath, file: 'order.mts' },
  PHP: { program: 'php', file: 'order.php' },
  Python: { program: 'python3', file: 'order.py' },
}
/** What must answer before an example can run: curl is run by a shell, and PHP needs its own client. */
const NEEDS: Record<ExampleLanguage, [string, string[]]> = {
  curl: ['curl', ['--version']],
  TypeScript: [process.execPath, ['--version']],
  PHP: ['php', ['-r', "exit(function_exists('curl_init') ? 0 : 1);"]],
  Python: ['python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']],
}
const titled = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
const isHere = (language: ExampleLanguage) => spawnSync(...NEEDS[language]).status === 0
const named = (language: ExampleLanguage) => (isHere(language) ? language : `${language} (skipped: its interpreter is not on this machine)`)

async function execute(language: ExampleLanguage, text: string, env: Record<string, string>) {
  const { program, file } = PROGRAMS[language]
  await writeFile(join(folder, file), text)
  return (await run(program, [join(folder, file)], { env: { PATH: process.env.PATH ?? '', ...env } })).stdout.trim()
}

describe('the guide', () => {
  test('is a page of its own that loads nothing else, with examples for this shop', async () => {
    const { headers, body } = await shop.app.inject({ url: '/v1/guide', headers: { host: 'shop.test' } })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? ''
    expect(headers['content-security-policy']).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(body).toContain('http://shop.test/v1/orders')
    const forged = await shop.app.inject({ url: '/v1/guide', headers: { host: 'a"><script>' } })
    expect(forged.body).not.toContain('<script')
    const led = await shop.app.inject({ url: '/v1/guide', headers: { host: 'evil.example' } })
    expect(led.body).toBe(body)
  })

  test('has the agent’s price in every example, and names every answer that the OpenAPI file has', async () => {
    const { body } = await shop.app.inject({ url: '/v1/guide' })
    const [afa] = (await findProduct(shop, 'AFA')).packages
    const example = JSON.parse(/<pre><code>(\{[^<]*"afa"[^<]*)<\/code>/.exec(body)?.[1] ?? '{}')
    expect([example.offer, example.expected_price]).toEqual([afa?.offer, afa?.priceAgent.toFixed(2)])
    const paths: Record<string, Record<string, { responses: object }>> = (await shop.app.inject({ url: '/v1/openapi.json' })).json().paths
    const answers = new Set(
      Object.values(paths).flatMap((at) => Object.values(at).flatMap(({ responses }) => Object.keys(responses).map(Number))),
    )
    for (const status of answers) if (status >= 400 && status !== 500) expect(body).toContain(`<tr><td>${status}</td>`)
    for (const said of ['_:-</code>', '<code>limit</code>', 'endpoint.test', 'answers 410', 'what it missed']) expect(body).toContain(said)
  })

  for (const language of EXAMPLE_LANGUAGES) {
    test.skipIf(!isHere(language))(`buys a bundle once with ${named(language)}`, async () => {
      const agent = await makeUser(shop, { level: 'Agent' })
      const wanted = { name: language, scopes: ['orders:write'], test: true }
      const { secret } = (await call<{ secret: string }>(shop, 'POST', '/api-keys', { as: agent, body: wanted })).body
      const [line] = (await findProduct(shop, 'MTN')).packages
      if (!line) throw new Error('MTN has no package')
      const facts = { origin, network: 'MTN', offer: line.offer, receiver: '0244120001', price: line.priceAgent.toFixed(2) }
      const [first, second] = [
        await execute(language, orderExamples(facts)[language], { DWADI_KEY: secret }),
        await execute(language, orderExamples(facts)[language], { DWADI_KEY: secret }),
      ]
      expect(JSON.parse(first ?? '')).toMatchObject({ status: 'pending', offer: line.offer, receiver: '0244120001', price: facts.price })
      expect(second).toBe(first)
      if (language !== 'curl') return
      const [list, again] = [
        await execute(language, listExample(facts), { DWADI_KEY: secret }),
        await execute(language, listExample(facts), { DWADI_KEY: secret }),
      ]
      expect(JSON.parse(list ?? '')).toMatchObject({
        name: 'Staff, December',
        orders: 2,
        total: ((Math.round(line.priceAgent * 100) * 2) / 100).toFixed(2),
      })
      expect(JSON.parse(again ?? '').id).toBe(JSON.parse(list ?? '').id)
    })
  }

  for (const language of ['TypeScript', 'PHP', 'Python'] as const) {
    test.skipIf(!isHere(language))(`tells what came from the shop with ${named(language)}`, async () => {
      const body = '{"type":"order.delivered","data":{"receiver":"Kofi’s"}}'
      const at = new Date()
      const [secret, other] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']
      const headers = {
        'webhook-id': 'one',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signWebhook({ id: 'one', at, body, secrets: [other, secret] }),
      }
      const late = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) }
      const cases = [
        { body, headers, secret },
        { body: `${body} `, headers, secret },
        { body, headers, secret: `whsec_${Buffer.from('another secret').toString('base64')}` },
        { body, headers: late, secret },
        // As PHP's getallheaders() has them.
        { body, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [titled(name), value])), secret },
        { body, headers: { host: 'shop.example' }, secret },
      ]
      const rest = {
        TypeScript: `\nconst cases = JSON.parse(process.env.CASES ?? '')\nconsole.log(cases.map(({ body, headers, secret }) => (isFromDwadi(body, headers, secret) ? 'yes' : 'no')).join(' '))`,
        PHP: `\n$said = [];\nforeach (json_decode(getenv('CASES'), true) as $case) $said[] = is_from_dwadi($case['body'], $case['headers'], $case['secret']) ? 'yes' : 'no';\necho implode(' ', $said);`,
        Python: `\nimport json, os\nprint(' '.join('yes' if is_from_dwadi(case['body'], case['headers'], case['secret']) else 'no' for case in json.loads(os.environ['CASES'])))`,
      }[language]
      expect(await execute(language, WEBHOOK_EXAMPLES[language] + rest, { CASES: JSON.stringify(cases) })).toBe('yes no no no yes no')
    })
  }
})

describe('the OpenAPI file', () => {
  test('is the one in docs, and the client was made of it', async () => {
    const file = await readFile('docs/developer-api.json', 'utf8')
    const advice = 'Run npm run node -- tools/write-developer-api.ts'
    expect(JSON.parse(file), advice).toEqual({ ...(await shop.app.inject({ url: '/v1/openapi.json' })).json(), info: expect.anything() })
    const client = await readFile('test/fixtures/developer-api-client.js', 'utf8')
    expect(client.split('\n', 1)[0], advice).toContain(createHash('sha256').update(file).digest('hex'))
  })

  test('gives a common generator a client that runs the whole API', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const wanted = { name: 'Generated', scopes: ['balance:read', 'catalogue:read', 'orders:read', 'orders:write'] }
    const { secret } = (await call<{ secret: string }>(shop, 'POST', '/api-keys', { as: agent, body: wanted })).body
    const asked = new Set<string>()
    const client = new Api<string>({
      baseUrl: `${origin}/v1`,
      securityWorker: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
      customFetch: (url, init) => {
        asked.add(`${init?.method} ${new URL(String(url)).pathname.replace('/v1', '').replace(/(ord|list)_[^/]*/, '{id}')}`)
        return fetch(url, init)
      },
    })
    client.setSecurityData(secret)
    const once = (key: string) => ({ headers: { 'Idempotency-Key': key } })

    expect((await client.balance.getBalance()).data).toEqual({ balance: '100.00', currency: 'GHS' })
    const { data: offers } = (await client.catalogue.listOffers()).data
    const line = offers.find(({ network }) => network === 'MTN')
    if (!line) throw new Error('MTN has no offer')
    const order = { network: 'MTN' as const, offer: line.offer, receiver: '0244123456', expected_price: line.price }
    const bought = (await client.orders.createOrder(order, once('one'))).data
    expect((await client.orders.createOrder(order, once('one'))).data).toEqual(bought)
    const { balance: _, ...asPlaced } = bought
    expect((await client.orders.getOrder(bought.id)).data).toEqual(asPlaced)
    expect((await client.orders.getCheckers(bought.id)).data).toEqual({ data: [] })
    const many = (await client.orders.createOrders({ orders: [order, { ...order, receiver: '0244123457' }] }, once('two'))).data
    const listed = (await client.orders.listOrders({ limit: 2 })).data
    expect([listed.data.map(({ id }) => id).sort(), listed.next_cursor]).toEqual([many.data.map(({ id }) => id).sort(), expect.any(String)])
    expect((await client.orders.listOrders({ cursor: listed.next_cursor ?? '' })).data.data).toEqual([asPlaced])
    expect((await client.statement.listMovements()).data.data[0]?.balance_after).toBe(many.balance)
    const list = (await client.lists.createList({ name: 'Staff', orders: [order, order, order] }, once('list'))).data
    const { balance: __, ...kept } = list
    expect([kept, (await client.lists.listLists()).data.data]).toEqual([(await client.lists.getList(list.id)).data, [kept]])
    const lines = (await client.lists.listOrdersOfList(list.id, { status: 'pending' })).data.data
    expect(lines.map(({ line: place }) => place)).toEqual([1, 2, 3])
    await expect(client.orders.createOrder({ ...order, expected_price: '0.01' }, once('three'))).rejects.toMatchObject({
      status: 409,
      error: { code: 'PRICE_CHANGED', issues: [{ path: 'expected_price' }] },
    })
    expect([...asked].sort()).toEqual(Object.keys(V1).sort())
  })
})
