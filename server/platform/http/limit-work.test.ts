import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { registerErrorReplies } from './error-replies.ts'
import { limitWork } from './limit-work.ts'

let close: () => Promise<unknown> = async () => undefined
afterEach(() => close())

/** A server whose requests end when they are told to, and whose callers are whoever the token names. */
async function openServer() {
  const app = Fastify()
  close = () => app.close()
  registerErrorReplies(app)
  const { waiting } = limitWork(app, { openReadsAtOnce: 10, waitMs: 600_000 })
  app.decorateRequest('actor', null)
  const running: { who: string; end: () => void }[] = []
  app.addHook('preHandler', async (request) => {
    const who = request.headers.authorization
    if (who && who !== 'made up') request.actor = { id: who } as never
  })
  const work = (who: string) => new Promise<string>((resolve) => running.push({ who, end: () => resolve('done') }))
  app.get('/api/work', (request) => work(request.headers.authorization ?? request.ip))
  app.get('/api/known', async () => 'known')
  app.get('/api/list', { config: { endpoint: { list: true } as never } }, (request) => work(request.headers.authorization ?? ''))
  app.get('/api/webhook', { config: { requests: 'unlimited' } }, () => work('webhook'))
  const ask = async (who: string | null, path = '/api/work', ip = '192.0.2.1') => {
    const reply = await app.inject({ url: path, remoteAddress: ip, headers: who ? { authorization: who } : {} })
    return reply.statusCode
  }
  const endAll = async (asked: Promise<unknown>[]) => {
    let left = asked.length
    for (const one of asked) void one.then(() => left--)
    await until(() => {
      for (const { end } of running.splice(0)) end()
      return left === 0
    })
  }
  const runningOf = (who: string) => running.filter((one) => one.who === who).length
  return { ask, endAll, runningOf, waiting }
}

test('one account has eight requests in flight, forty wait, and the rest get 429; others go on', async () => {
  const { ask, endAll, runningOf, waiting } = await openServer()
  for (const who of ['ama', 'kofi']) await ask(who, '/api/known')
  const flood = Array.from({ length: 600 }, () => ask('ama'))
  await until(() => waiting() === 40)
  expect(runningOf('ama')).toBe(8)
  const other = ask('kofi')
  await until(() => runningOf('kofi') === 1)
  await endAll([...flood, other])
  const statuses = Object.groupBy(await Promise.all(flood), (status) => status)
  expect([statuses[200]?.length, statuses[429]?.length, await other]).toEqual([48, 552, 200])
})

test('whoever is not signed in has ten reads at work together, which take turns by address; others go on', async () => {
  const { ask, endAll, runningOf, waiting } = await openServer()
  await ask('ama', '/api/known')
  const flood = Array.from({ length: 10 }, (_, n) => Array.from({ length: 20 }, () => ask(null, '/api/work', `192.0.2.${n + 10}`))).flat()
  await until(() => waiting() === 190)
  const [known, stranger] = [ask('ama'), ask(null, '/api/work', '198.51.100.1')]
  await until(() => runningOf('ama') === 1)
  await until(() => waiting() === 191)
  await endAll([known, ...flood, stranger])
  expect([await known, await stranger, new Set(await Promise.all(flood))]).toEqual([200, 200, new Set([200])])
})

test('the 65,536 parts of one IPv6 network are one lane', async () => {
  const { ask, endAll, waiting } = await openServer()
  const flood = Array.from({ length: 700 }, (_, n) => ask(null, '/api/work', `2001:db8:1:${n.toString(16)}::1`))
  await until(() => waiting() === 650)
  const other = ask(null, '/api/work', '2001:db8:2::1')
  await endAll([...flood, other])
  const statuses = Object.groupBy(await Promise.all(flood), (status) => status)
  expect([statuses[200]?.length, statuses[429]?.length, await other]).toEqual([660, 40, 200])
})

test.each(['/%61pi/work', '/api/%77ork'])('%s is a request of its route like any other', async (path) => {
  const { ask, endAll, runningOf, waiting } = await openServer()
  await ask('ama', '/api/known')
  const asked = Array.from({ length: 20 }, () => ask('ama', path))
  await until(() => waiting() === 12)
  expect(runningOf('ama')).toBe(8)
  await endAll(asked)
})

test('lists without a page weigh three, and a page one', async () => {
  const { ask, endAll, runningOf, waiting } = await openServer()
  await ask('ama', '/api/known')
  const lists = Array.from({ length: 5 }, () => ask('ama', '/api/list'))
  await until(() => waiting() === 3)
  expect(runningOf('ama')).toBe(2)
  await endAll(lists)
  const pages = Array.from({ length: 9 }, () => ask('ama', '/api/list?page=1'))
  await until(() => waiting() === 1)
  expect(runningOf('ama')).toBe(8)
  await endAll(pages)
})

test('tokens that are made up share the lane of their address, which leaves others theirs', async () => {
  const { ask, endAll, runningOf, waiting } = await openServer()
  await ask('ama', '/api/known')
  const flood = Array.from({ length: 700 }, (_, index) => ask(index % 2 ? 'made up' : null))
  await until(() => waiting() === 650)
  expect(runningOf('made up') + runningOf('192.0.2.1')).toBe(10)
  const [signedIn, elsewhere, webhook] = [ask('ama'), ask(null, '/api/work', '192.0.2.2'), ask(null, '/api/webhook')]
  await until(() => runningOf('ama') + runningOf('webhook') === 2)
  // Its turn comes next, before 650 of the other address.
  await until(() => waiting() === 651)
  await endAll([...flood, signedIn, elsewhere, webhook])
  expect((await Promise.all(flood)).filter((status) => status === 429)).toHaveLength(40)
  expect([await signedIn, await elsewhere, await webhook]).toEqual([200, 200, 200])
})
