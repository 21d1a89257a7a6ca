import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSandbox, type Sandbox } from './open-sandbox.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

let now: Date
let dataDir: string
let sandbox: Sandbox
let shop: FastifyInstance

beforeEach(async () => {
  now = NOW
  dataDir = await mkdtemp(join(tmpdir(), 'dwadi-sandbox-'))
  sandbox = await openSandbox({
    dataDir,
    shopUrl: () => 'http://127.0.0.1:9',
    log: { warn() {} },
    now: () => now,
    webhookRetryDelaysMs: [],
  })
  shop = Fastify()
  await sandbox.routes(shop)
})
afterEach(async () => {
  await shop.close()
  await sandbox.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the outbox', () => {
  test('returns the sent messages as a bare array, newest first', async () => {
    expect((await shop.inject('/api/sandbox/outbox')).json()).toEqual([])
    const mailer = createTransport(sandbox.mail.smtpUrl)
    await mailer.sendMail({ from: 'shop@dwadi.example', to: 'ama@example.com', subject: 'One', text: 'First' })
    await mailer.sendMail({ from: 'shop@dwadi.example', to: 'kofi@example.com', subject: 'Two', text: 'Second' })
    mailer.close()
    const reply = await shop.inject('/api/sandbox/outbox')
    expect(reply.json()).toEqual([
      { channel: 'email', to: 'kofi@example.com', subject: 'Two', body: 'Second', at: NOW.toISOString() },
      { channel: 'email', to: 'ama@example.com', subject: 'One', body: 'First', at: NOW.toISOString() },
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test("returns SMS and mails together, with the receiver's number", async () => {
    const mailer = createTransport(sandbox.mail.smtpUrl)
    const mail = { from: 'shop@dwadi.example', to: 'ama@example.com', text: 'Hello' }
    await mailer.sendMail({ ...mail, subject: 'First' })
    now = new Date('2026-11-21T12:00:01Z')
    await sendSms('Second')
    now = new Date('2026-11-21T12:00:02Z')
    await mailer.sendMail({ ...mail, subject: 'Third' })
    mailer.close()
    const messages: { subject?: string; body: string }[] = (await shop.inject('/api/sandbox/outbox')).json()
    expect(messages.map(({ subject, body }) => subject ?? body)).toEqual(['Third', 'Second', 'First'])
    expect(messages[1]).toEqual({ channel: 'sms', to: '0241234567', body: 'Second', at: '2026-11-21T12:00:01.000Z' })
  })
})

describe('who has access', () => {
  const TOKEN = 'a'.repeat(43)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  let admins: string[]

  async function mount(exposed: boolean) {
    await shop.close()
    admins = [TOKEN]
    shop = Fastify()
    await sandbox.routes(shop, { exposed, isAdmin: async (token) => admins.includes(token) })
    await shop.ready()
  }
  const GUARDED = ['/sandbox', '/api/sandbox/outbox', '/api/sandbox/state', '/api/sandbox/mail/faults', '/api/sandbox/card/payments']
  const statusesOf = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    Promise.all(GUARDED.map(async (url) => (await shop.inject({ url, headers, remoteAddress })).statusCode))
  const open = GUARDED.map(() => 200)
  const shut = GUARDED.map(() => 401)

  test('this machine, when the sandbox is local; never a visitor through a proxy, under another name or from elsewhere', async () => {
    await mount(false)
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
      expect([host, await statusesOf({ host })]).toEqual([host, open])
    for (const host of ['shop.example', 'localhost.evil.example', '127.0.0.1.evil.example', '192.168.1.5:3000'])
      expect([host, await statusesOf({ host })]).toEqual([host, shut])
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host'])
      expect([name, await statusesOf({ host: 'localhost', [name]: '127.0.0.1' })]).toEqual([name, shut])
    expect(await statusesOf({ host: 'localhost' }, '192.168.1.7')).toEqual(shut)
    expect(await statusesOf({ host: 'shop.example', ...bearer(TOKEN) })).toEqual(open)
  })

  test('only the admin when others can reach it: by token, or by a cookie that ends with the session', async () => {
    await mount(true)
    expect(await statusesOf({ host: 'localhost' })).toEqual(shut)
    expect(await statusesOf(bearer('b'.repeat(43)))).toEqual(shut)
    expect(await statusesOf(bearer(TOKEN))).toEqual(open)
    const visit = (token: string) => shop.inject({ method: 'POST', url: '/api/sandbox/visit', headers: bearer(token) })
    const stranger = await visit('b'.repeat(43))
    expect([stranger.statusCode, stranger.headers['set-cookie']]).toEqual([401, undefined])
    const reply = await visit(TOKEN)
    const given = String(reply.headers['set-cookie'])
    expect([reply.statusCode, given]).toEqual([204, expect.stringMatching(/; HttpOnly; SameSite=Strict$/)])
    expect(given).not.toContain(TOKEN)
    const cookie = given.split(';')[0]!
    expect(await statusesOf({ cookie })).toEqual(open)
    expect(await statusesOf({ cookie: `${cookie.slice(0, -1)}_` })).toEqual(shut)
    admins = []
    expect(await statusesOf({ cookie })).toEqual(shut)
  })

  test('every address of the sandbox is guarded, except the card pop-up and its assets', async () => {
    const routes: { method: string; url: string }[] = []
    await shop.close()
    shop = Fastify()
    shop.addHook('onRoute', ({ method, url }) => void routes.push(...[method].flat().map((one) => ({ method: one, url }))))
    await sandbox.routes(shop, { exposed: true, isAdmin: async () => false })
    await shop.ready()
    const answered = await Promise.all(
      routes.map(async ({ method, url }) => ({
        url,
        status: (await shop.inject({ method: method as 'GET', url, payload: {} })).statusCode,
      })),
    )
    const openTo = answered.filter(({ status }) => status !== 401).map(({ url }) => url)
    expect(openTo.filter((url) => !/^\/sandbox\/(page\/|card\/)/.test(url))).toEqual([])
    expect(answered.length).toBeGreaterThan(40)
  })

  test('the sign-in page reveals nothing of the sandbox, and the pop-up still opens for customers', async () => {
    await mount(true)
    const page = await shop.inject('/sandbox')
    expect(page.body).toContain('/sandbox/page/sign-in.js')
    expect((await shop.inject('/sandbox/page/sign-in.js')).statusCode).toBe(200)
    expect((await shop.inject('/sandbox/card/popup')).statusCode).toBe(200)
  })
})

describe('the pages', () => {
  test('the pop-up may stand in a frame of the shop itself, and no other page may', async () => {
    const popup = await shop.inject('/sandbox/card/popup')
    expect(popup.headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(popup.headers['x-frame-options']).toBe('SAMEORIGIN')
    const page = await shop.inject('/sandbox')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.headers['x-frame-options']).toBe('DENY')
  })

  test.each(['/sandbox', '/sandbox/phone', '/sandbox/card/popup'])(
    '%s has no inline script or style, and all its assets exist',
    async (address) => {
      const { body, headers } = await shop.inject(address)
      expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'")
      expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
      const files = [...body.matchAll(/(?:src|href)="(\/sandbox\/page\/[^"]+)"/g)].map(([, file]) => file as string)
      expect(files.length).toBeGreaterThanOrEqual(4)
      for (const file of files) {
        const reply = await shop.inject(file)
        expect({ file, status: reply.statusCode, type: reply.headers['content-type'] }).toEqual({
          file,
          status: 200,
          type: file.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
        })
      }
    },
  )

  test('no other file is served', async () => {
    for (const address of [
      '/sandbox/page/../routes.ts',
      '/sandbox/page/%2e%2e%2froutes.ts',
      '/sandbox/page/sandbox.html',
      '/sandbox/page/',
    ]) {
      expect((await shop.inject(address)).statusCode).toBe(404)
    }
  })
})

describe('control through the shop', () => {
  test('reaches the card provider', async () => {
    const { reference, accessCode } = await begin()
    expect((await shop.inject('/api/sandbox/card/payments')).json()).toMatchObject([{ reference, status: 'abandoned' }])
    const shown = (await shop.inject(`/sandbox/card/transactions/${accessCode}`)).json()
    expect(shown).toMatchObject({ reference, amountPesewas: 2575, currency: 'GHS', email: 'ama@example.com', success: null })
    const paid = await shop.inject({ method: 'POST', url: `/api/sandbox/card/payments/${reference}/pay` })
    expect(paid.json()).toMatchObject({ status: 'success', paidAt: NOW.toISOString() })
    expect(sandbox.cardProvider.payments()[0]?.status).toBe('success')
  })

  test('reaches the mailbox', async () => {
    const added = await shop.inject({ method: 'POST', url: '/api/sandbox/mail/faults', payload: { kind: 'refuse', times: 2 } })
    expect([added.statusCode, added.json()]).toEqual([201, [{ kind: 'refuse', code: 550, times: 2 }]])
    expect(sandbox.mail.faults()).toHaveLength(1)
    expect((await shop.inject({ method: 'DELETE', url: '/api/sandbox/mail/faults' })).json()).toEqual([])
  })

  test.each(['hubnet', 'remadata'] as const)('reaches %s', async (name) => {
    const at = `/api/sandbox/supplier/${name}`
    const set = await shop.inject({ method: 'PATCH', url: `${at}/settings`, payload: { balancePesewas: 0 } })
    expect(set.json()).toMatchObject({ balancePesewas: 0 })
    expect(sandbox.supplier[name].settings().balancePesewas).toBe(0)
    const added = await shop.inject({ method: 'POST', url: `${at}/faults`, payload: { call: 'order', kind: 'drop' } })
    expect([added.statusCode, added.json()]).toEqual([201, [{ call: 'order', kind: 'drop', acts: true, times: 1 }]])
    expect((await shop.inject(`${at}/tally`)).json()).toMatchObject({ deliveries: 0, duplicates: 0 })
    expect((await shop.inject('/api/sandbox/state')).json()).toMatchObject({ faults: { [name]: [{ kind: 'drop' }] } })
  })

  test('reaches the SMS services', async () => {
    const added = await shop.inject({ method: 'POST', url: '/api/sandbox/sms/faults', payload: { call: 'send', kind: 'html' } })
    expect(added.statusCode).toBe(201)
    await expect(sendSms('Hello')).rejects.toThrow('502')
    await sendSms('Hello')
    const [message] = (await shop.inject('/api/sandbox/sms/messages')).json()
    expect(message).toMatchObject({ service: 'arkesel', to: '0241234567', status: 'SUBMITTED' })
    const url = `/api/sandbox/sms/messages/${message.id}/report`
    expect((await shop.inject({ method: 'POST', url, payload: { status: 'EXPIRED' } })).json()).toMatchObject({ status: 'EXPIRED' })
  })

  test("is refused with the shop's usual error body", async () => {
    const { reference } = await begin()
    for (const [method, url, payload, status, code] of [
      ['GET', '/api/sandbox/card/payments/unknown', undefined, 404, 'NOT_FOUND'],
      ['GET', '/sandbox/card/transactions/unknown', undefined, 404, 'NOT_FOUND'],
      ['POST', `/api/sandbox/card/payments/${reference}/status`, { status: 'rich' }, 400, 'INVALID'],
      ['POST', `/api/sandbox/card/payments/${reference}/webhook`, undefined, 409, 'CONFLICT'],
      ['POST', '/api/sandbox/mail/faults', { kind: 'melt' }, 400, 'INVALID'],
      ['GET', '/api/sandbox/supplier/hubnet/deliveries/unknown', undefined, 404, 'NOT_FOUND'],
      ['PATCH', '/api/sandbox/supplier/remadata/settings', { style: 'loud' }, 400, 'INVALID'],
      ['POST', '/api/sandbox/sms/messages/unknown/report', { status: 'DELIVERED' }, 404, 'NOT_FOUND'],
      ['POST', '/api/sandbox/phone/send', { phone: 'mine' }, 400, 'INVALID'],
      ['POST', '/api/sandbox/card/faults', 'kind=hang', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ] as const) {
      const reply = await shop.inject({ method, url, ...(payload === undefined ? {} : { payload }) })
      expect({ url, status: reply.statusCode, body: reply.json() }).toEqual({ url, status, body: { message: expect.any(String), code } })
    }
  })

  test('shows no secret key anywhere', async () => {
    await begin()
    await sendSms('Hello')
    const { sms, supplier, cardProvider } = sandbox
    await fetch(`${sms.mnotify.baseUrl}/api/sms/quick?key=${sms.mnotify.apiKey}`, { method: 'POST' })
    const keys = [cardProvider.secretKey, supplier.hubnet.key, supplier.remadata.key, sms.arkesel.apiKey, sms.mnotify.apiKey]
    expect(new Set(keys).size).toBe(5)
    for (const url of [
      '/api/sandbox/state',
      '/api/sandbox/card/payments',
      '/api/sandbox/card/calls',
      '/api/sandbox/supplier/hubnet/settings',
      '/api/sandbox/sms/calls',
      '/api/sandbox/sms/messages',
      '/sandbox',
    ]) {
      const { body } = await shop.inject(url)
      for (const key of keys) expect(body).not.toContain(key)
    }
  })
})

describe('the folder', () => {
  test('contains everything, and only its owner may read it', async () => {
    await begin()
    const folder = join(dataDir, 'sandbox')
    expect((await readdir(dataDir)).toSorted()).toEqual(['sandbox'])
    expect((await readdir(folder)).toSorted()).toEqual(['card-keys.json', 'card-payments.json', 'service-keys.json'])
    if (process.platform === 'win32') return
    for (const file of await readdir(folder)) expect((await stat(join(folder, file))).mode & 0o077).toBe(0)
  })
})

async function sendSms(message: string) {
  const { baseUrl, apiKey } = sandbox.sms.arkesel
  const response = await fetch(`${baseUrl}/api/v2/sms/send`, {
    method: 'POST',
    headers: { 'api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ sender: 'Dwadi', message, recipients: ['233241234567'] }),
  })
  if (!response.ok) throw new Error(`${response.status}`)
}

async function begin() {
  const reference = `ref${crypto.randomUUID().replaceAll('-', '').slice(0, 17)}`
  const response = await fetch(`${sandbox.cardProvider.baseUrl}/transaction/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.cardProvider.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ama@example.com', amount: 2575, reference }),
  })
  const { data } = (await response.json()) as { data: { access_code: string } }
  return { reference, accessCode: data.access_code }
}
