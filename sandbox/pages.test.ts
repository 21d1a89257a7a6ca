import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, chromium, type FrameLocator, type Page } from '@playwright/test'
import Fastify, { type FastifyInstance } from 'fastify'
import { createTransport } from 'nodemailer'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { resolveHeadlessBrowser } from '../test/browser.ts'
import { CARD_CALLS } from './card/faults.ts'
import { openSandbox, type Sandbox } from './open-sandbox.ts'

const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1440, height: 900 }
/** A module of the page, which the server's types do not know. */
const { FAULTS, SERVICES }: PageModule = await import(new URL('./page/faults.js', import.meta.url).href)
type PageModule = { FAULTS: { label: string; service: string; fault: object }[]; SERVICES: Record<string, { address: string }> }
const LIBRARY = new URL('../node_modules/@paystack/inline-js/dist/inline.js', import.meta.url)

let browser: Browser
let dataDir: string
let sandbox: Sandbox
let shop: FastifyInstance
let shopUrl: string
let page: Page
let complaints: string[]
let references = 0

beforeAll(async () => {
  browser = await chromium.launch(await resolveHeadlessBrowser())
  page = await openPage()
})
afterAll(() => browser.close())

/** One page serves all tests but those that stop its clock: a new one costs more than most tests. */
async function openPage(): Promise<Page> {
  const opened = await browser.newPage({ viewport: PHONE })
  opened.on('pageerror', (error) => complaints.push(error.message))
  opened.on('console', (message) => message.type() === 'error' && complaints.push(`${message.text()} (${message.location().url})`))
  return opened
}

/** The page of one test, whose clock stands still but for `clock.runFor`. */
async function openStoppedPage(): Promise<Page> {
  const stopped = await openPage()
  onTestFinished(() => stopped.close())
  await stopped.clock.install()
  return stopped
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dwadi-sandbox-'))
  sandbox = await openSandbox({
    dataDir,
    shopUrl: () => shopUrl,
    log: { warn() {} },
    webhookRetryDelaysMs: [5],
    supplierWebhookUrl: () => `${shopUrl}/api/supplier/webhook`,
    supplier: { hubnet: { deliversAfterMs: null }, remadata: { deliversAfterMs: null } },
    sms: { reportsAfterMs: null },
  })
  shop = Fastify({ forceCloseConnections: true })
  shop.post('/api/payment/webhook', async () => ({ received: true }))
  shop.post('/api/supplier/webhook', async () => ({ received: true }))
  shop.get('/', async (_request, reply) => reply.type('text/html').send(HOST_PAGE))
  shop.get('/library.js', async (_request, reply) => reply.type('text/javascript').send(await readFile(LIBRARY)))
  shop.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await sandbox.routes(shop)
  await shop.listen({ host: '127.0.0.1', port: 0 })
  shopUrl = `http://127.0.0.1:${(shop.server.address() as AddressInfo).port}`
  complaints = []
})
afterEach(async () => {
  // Before its server goes away, so that it does not ask for it.
  await page.goto('about:blank')
  await shop.close()
  await sandbox.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the pop-up in a frame of the shop', () => {
  test('says that it has loaded, which transaction it shows, and that it was paid', async () => {
    const { reference, accessCode } = await begin()
    const popup = await openFrame(accessCode)
    await popup.getByRole('heading', { name: 'Pay GHS 25.75' }).waitFor()
    await popup.getByText('ama@example.com').waitFor()
    await popup.getByText(reference).waitFor()
    expect(await told()).toEqual([
      { event: 'loaded:checkout', data: {} },
      {
        event: 'loaded:transaction',
        data: { id: expect.any(Number), accessCode, customer: expect.objectContaining({ email: 'ama@example.com' }) },
      },
    ])
    await popup.getByRole('button', { name: 'Pay GHS 25.75 by card' }).click()
    await expect.poll(told).toHaveLength(3)
    expect((await told())[2]).toEqual({
      event: 'success',
      data: expect.objectContaining({ reference, status: 'success', message: 'Approved', trxref: reference }),
    })
    expect(sandbox.cardProvider.payments()[0]).toMatchObject({ reference, status: 'success', channel: 'card' })
    expect(complaints).toEqual([])
  })

  test('lets the payer try again after a declined card', async () => {
    const { accessCode } = await begin()
    const popup = await openFrame(accessCode)
    await popup.getByRole('button', { name: 'Decline' }).click()
    await popup.getByRole('alert').getByText('Your card was declined. You can try again.').waitFor()
    expect(sandbox.cardProvider.payments()[0]?.status).toBe('failed')
    await popup.getByRole('button', { name: /by card$/ }).click()
    await expect.poll(lastTold).toMatchObject({ event: 'success' })
  })

  test('closes without a payment when the payer cancels', async () => {
    const { accessCode } = await begin()
    const popup = await openFrame(accessCode)
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(lastTold).toEqual({ event: 'close', data: { status: 'abandoned' } })
    expect(sandbox.cardProvider.payments()[0]?.status).toBe('abandoned')
    await popup.locator('body').waitFor()
    expect(await popup.getByRole('heading', { name: /Pay/ }).isVisible()).toBe(false)
  })

  test('closes with the Escape key', async () => {
    const { accessCode } = await begin()
    const popup = await openFrame(accessCode)
    await popup.getByRole('heading', { name: /Pay/ }).press('Escape')
    await expect.poll(lastTold).toMatchObject({ event: 'close' })
  })

  test('can vanish although it was paid', async () => {
    const { accessCode } = await begin()
    const popup = await openFrame(accessCode)
    await popup.getByRole('button', { name: 'Pay, but the window closes at once' }).click()
    await expect.poll(lastTold).toEqual({ event: 'close', data: { status: 'abandoned' } })
    expect(sandbox.cardProvider.payments()[0]?.status).toBe('success')
    expect((await told()).some(({ event }) => event === 'success')).toBe(false)
  })

  test('can close now and be paid later', async () => {
    for (const [afterSeconds, status] of [
      ['600', 'pending'],
      ['2', 'success'],
    ] as const) {
      const { reference, accessCode } = await begin()
      const popup = await openFrame(accessCode)
      await popup.getByLabel('Paid after').selectOption(afterSeconds)
      await popup.getByRole('button', { name: 'Close now, pay later' }).click()
      await expect.poll(lastTold).toMatchObject({ event: 'close' })
      await expect.poll(() => sandbox.cardProvider.payments().find((one) => one.reference === reference)?.status).toBe(status)
    }
  })

  test('takes mobile money from the test number alone', async () => {
    const { accessCode } = await begin()
    const popup = await openFrame(accessCode)
    const number = popup.getByLabel('Mobile money number')
    const pay = popup.getByRole('button', { name: 'Pay by mobile money' })
    await number.fill('024')
    await pay.click()
    await popup.getByRole('alert').getByText('Enter a mobile money number of 10 digits.').waitFor()
    await number.fill('0244000000')
    await pay.click()
    await popup
      .getByRole('alert')
      .getByText(/only 0551234987 can pay/)
      .waitFor()
    await number.fill('0551234987')
    await pay.click()
    await expect.poll(lastTold).toMatchObject({ event: 'success' })
    expect(sandbox.cardProvider.payments()[0]).toMatchObject({ channel: 'mobile_money', mobileNumber: '0551234987' })
  })

  test('offers the channels that the shop asked for, and no other', async () => {
    const { accessCode } = await begin({ channels: ['mobile_money'] })
    const popup = await openFrame(accessCode)
    await popup.getByRole('button', { name: 'Pay by mobile money' }).waitFor()
    expect(await popup.getByRole('button', { name: /by card$/ }).isVisible()).toBe(false)
  })

  test('reports an access code that is not known, or was paid, as an error of the set-up', async () => {
    await openFrame('neverheardof')
    await expect.poll(lastTold).toEqual({ event: 'error', data: { type: 'setup', message: expect.stringContaining('not known') } })
    const { reference, accessCode } = await begin()
    await sandbox.cardProvider.pay(reference)
    await page.evaluate(`window.open_('${accessCode}')`)
    await expect.poll(lastTold).toEqual({ event: 'error', data: { type: 'setup', message: 'This payment was already made.' } })
  })

  test('can be opened again with the same access code', async () => {
    const { accessCode } = await begin()
    const popup = await openFrame(accessCode)
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(lastTold).toMatchObject({ event: 'close' })
    await page.evaluate(`window.open_('${accessCode}')`)
    await popup.getByRole('button', { name: /by card$/ }).click()
    await expect.poll(lastTold).toMatchObject({ event: 'success' })
  })

  test('ignores a window that did not open it', async () => {
    const { accessCode } = await begin()
    const popup = await openFrame(accessCode)
    await popup.getByRole('button', { name: /by card$/ }).waitFor()
    await page.evaluate(`
      const stranger = document.body.appendChild(document.createElement('iframe'))
      const script = stranger.contentDocument.createElement('script')
      script.textContent = "parent.frames[0].postMessage('close', '*')"
      stranger.contentDocument.body.append(script)
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    `)
    expect(await popup.getByRole('button', { name: /by card$/ }).isVisible()).toBe(true)
  })
})

describe("the provider's own library", () => {
  /** The library's address of the pop-up is compiled in, so the browser is sent to the simulator's instead. */
  async function openWithLibrary(accessCode: string) {
    onTestFinished(() => page.unrouteAll())
    await page.route('https://checkout.paystack.com/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      const response = await route.fetch({ url: shopUrl + (pathname === '/popup' ? '/sandbox/card/popup' : pathname) })
      const { 'content-security-policy': _, 'x-frame-options': __, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await page.goto(shopUrl)
    await page.addScriptTag({ url: '/library.js' })
    await page.evaluate(`
      const say = (event) => (data) => void told.push({ event, data: data ?? {} })
      new PaystackPop().resumeTransaction('${accessCode}', {
        onLoad: say('onLoad'),
        onSuccess: say('onSuccess'),
        onCancel: say('onCancel'),
        onError: say('onError'),
      })
    `)
    return page.frameLocator('iframe[src*="checkout.paystack.com"]')
  }

  test('pays', async () => {
    const { reference, accessCode } = await begin()
    const popup = await openWithLibrary(accessCode)
    await popup.getByRole('button', { name: /by card$/ }).click()
    await expect.poll(lastTold).toMatchObject({ event: 'onSuccess', data: { reference, status: 'success' } })
    expect((await told())[0]).toMatchObject({ event: 'onLoad', data: { accessCode } })
  })

  test('is told about a cancelled payment', async () => {
    const { accessCode } = await begin()
    const popup = await openWithLibrary(accessCode)
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(lastTold).toMatchObject({ event: 'onCancel' })
  })

  test('is told about a set-up error', async () => {
    await openWithLibrary('neverheardof')
    await expect.poll(lastTold).toMatchObject({ event: 'onError', data: { type: 'setup' } })
  })
})

describe('the page /sandbox', () => {
  test('shows a mail soon after it arrived, with its links', async () => {
    const page = await openStoppedPage()
    await page.goto(`${shopUrl}/sandbox`)
    await page.getByText('E-mails and SMS that the shop sends will be here.').waitFor()
    await sendMail('Choose a new password', `Open this: ${shopUrl}/reset-password/abc <b>now</b>`)
    await page.clock.runFor(3_000)
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    expect(await page.getByRole('link', { name: /reset-password/ }).getAttribute('href')).toBe(`${shopUrl}/reset-password/abc`)
    await page.getByText('<b>now</b>').waitFor()
    expect(complaints).toEqual([])
  })

  test('filters mails and SMS', async () => {
    await sendMail('A mail', 'Hello')
    await page.goto(`${shopUrl}/sandbox`)
    await page.getByRole('heading', { name: 'A mail' }).waitFor()
    await page.getByRole('radio', { name: 'SMS' }).check()
    await page.getByText('E-mails and SMS that the shop sends will be here.').waitFor()
    expect(await page.getByRole('heading', { name: 'A mail' }).isVisible()).toBe(false)
  })

  test('controls a payment', async () => {
    const { reference } = await begin()
    await page.goto(`${shopUrl}/sandbox`)
    const card = page.getByRole('listitem').filter({ hasText: reference }).first()
    await card.getByRole('button', { name: 'Mark as failed' }).click()
    await card.getByText('failed', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Mark as paid, lose the webhook' }).click()
    await card.getByText('success', { exact: true }).waitFor()
    await card.getByText('Webhook: lost, 0 attempts').waitFor()
    await card.getByRole('button', { name: 'Send the webhook again' }).click()
    await card.getByText('Webhook: delivered, 1 attempt (HTTP 200)').waitFor()
    await card.getByRole('button', { name: 'Reverse' }).click()
    await card.getByText('reversed', { exact: true }).first().waitFor()
    expect(await card.getByRole('button').count()).toBe(0)
  })

  test('shows an SMS as its receiver sees it, and its status', async () => {
    await sendSms('Your order is complete. GHS 5.00')
    await sendMail('A mail', 'Hello')
    await page.goto(`${shopUrl}/sandbox`)
    await page.getByRole('radio', { name: 'SMS' }).check()
    await page.getByRole('heading', { name: '0241234567' }).waitFor()
    await page.getByText('Your order is complete. GHS 5.00').waitFor()
    expect(await page.getByRole('heading', { name: 'A mail' }).isVisible()).toBe(false)
    await page.getByText('Arkesel · 1 part · submitted').waitFor()
    await page.getByRole('button', { name: 'Report as not delivered' }).click()
    await page.getByText('Arkesel · 1 part · undelivered').waitFor()
    expect(sandbox.sms.sent()[0]?.status).toBe('UNDELIVERED')
    expect(complaints).toEqual([])
  })

  test('controls a delivery', async () => {
    const first = await order()
    const second = await order()
    await page.goto(`${shopUrl}/sandbox`)
    const region = page.getByRole('region', { name: 'Data deliveries' })
    const card = region.getByRole('listitem').filter({ hasText: first })
    await card.getByRole('heading', { name: '2 GB to 0271234567' }).waitFor()
    await card.getByText('Hubnet · at · GHS 7.90').waitFor()
    await card.getByRole('button', { name: 'Mark as delivered, no webhook' }).click()
    await card.getByText('delivered', { exact: true }).waitFor()
    expect(await card.getByText('Webhook:').count()).toBe(0)
    await card.getByRole('button', { name: 'Send the webhook again' }).click()
    await card.getByText('Webhook: delivered, 1 attempt (HTTP 200)').waitFor()
    const other = region.getByRole('listitem').filter({ hasText: second })
    await other.getByRole('button', { name: 'Mark as failed' }).click()
    await other.getByText('Webhook: delivered, 1 attempt (HTTP 200)').waitFor()
    expect(sandbox.supplier.hubnet.tally().byState).toEqual({ delivered: 1, failed: 1 })
    expect(complaints).toEqual([])
  })

  test('shows what a supplier has delivered, duplicates included, and changes its behaviour', async () => {
    const reference = await order()
    await page.goto(`${shopUrl}/sandbox`)
    const card = page.getByRole('region', { name: 'Suppliers and SMS' }).getByRole('listitem').filter({ hasText: 'Hubnet' })
    await card.getByText('GHS 9,992.10').waitFor()
    await card.getByText('1 delivery').waitFor()
    await card.getByText('none twice').waitFor()
    await card.getByText('At most 5 calls a minute; delivers when you say so; refuses a used reference.').waitFor()
    for (const label of ['Allow any number of calls', 'Deliver by itself', 'Deliver used references again']) {
      await card.getByRole('button', { name: label }).click()
    }
    await card.getByText('As many calls as come; delivers after 5 s; delivers a used reference again.').waitFor()
    await order(reference)
    await page.reload()
    await card.getByText('1 too many').waitFor()
    await card.getByRole('button', { name: 'Empty the balance' }).click()
    await card.getByRole('button', { name: 'Fill the balance' }).waitFor()
    expect(sandbox.supplier.hubnet.settings()).toMatchObject({ balancePesewas: 0, callsPerMinute: null, refusesDuplicates: false })
    await expect(order()).rejects.toThrow('1003')
  })

  test('can use up the SMS credit', async () => {
    await page.goto(`${shopUrl}/sandbox`)
    await page.getByText('10,000 SMS left').waitFor()
    await page.getByRole('button', { name: 'Use up the SMS' }).click()
    await page.getByText('0 SMS left', { exact: true }).waitFor()
    await expect(sendSms('Hello')).rejects.toThrow('402')
    await page.getByRole('button', { name: 'Buy SMS' }).click()
    await page.getByText('10,000 SMS left').waitFor()
    await sendSms('Hello')
  })

  test('injects a fault for one order, one receiver of data, or one phone', async () => {
    await page.goto(`${shopUrl}/sandbox`)
    const only = page.getByLabel('Only for this reference or receiver')
    for (const [label, aim] of [
      ['Hubnet answers an order with an error page', 'ref0000000000001'],
      ['Hubnet says that the balance is too low', '0271234567'],
      ['An SMS: too many requests', '0241234567'],
    ] as const) {
      await page.getByLabel('Next time').selectOption(label)
      await only.fill(aim)
      await page.getByRole('button', { name: 'Let it happen' }).click()
      await page.getByRole('listitem').filter({ hasText: label }).getByText(`Once, for ${aim}`).waitFor()
    }
    expect(sandbox.supplier.hubnet.control.faults.list()).toMatchObject([
      { kind: 'html', reference: 'ref0000000000001' },
      { cause: 'no-money', phone: '0271234567' },
    ])
    expect(sandbox.sms.control.faults.list()).toMatchObject([{ cause: 'too-often', to: '0241234567' }])
  })

  test('lists the calls to every service, without a key', async () => {
    await order()
    await sendSms('Hello')
    await begin()
    await page.goto(`${shopUrl}/sandbox`)
    const calls = page.getByRole('region', { name: 'Calls to the services' })
    for (const [service, path] of [
      ['Hubnet', '/at-new-transaction'],
      ['SMS', '/api/v2/sms/send'],
      ['Card provider', '/transaction/initialize'],
    ] as const) {
      await calls.getByRole('listitem').filter({ hasText: service }).getByText(path).waitFor()
    }
  })

  test('injects faults and clears them', async () => {
    const page = await openStoppedPage()
    await page.goto(`${shopUrl}/sandbox`)
    const wellAgain = page.getByRole('button', { name: 'Let all go well again' })
    await page.getByText('Nothing: all goes well.').waitFor()
    expect(await wellAgain.isVisible()).toBe(false)
    for (const label of ['Starting a payment fails', 'An e-mail is refused', 'Hubnet takes an order that never arrives']) {
      await page.getByLabel('Next time').selectOption(label)
      await page.getByRole('button', { name: 'Let it happen' }).click()
      await page.getByRole('heading', { name: label }).waitFor()
    }
    await expect(begin()).rejects.toThrow('500')
    await page.clock.runFor(3_000)
    await page.getByText('500').waitFor()
    await wellAgain.click()
    await page.getByText('Nothing: all goes well.').waitFor()
    await sendMail('It goes', 'well')
  })

  test('offers only faults that the sandbox knows', async () => {
    await page.goto(`${shopUrl}/sandbox`)
    const offered = await page.getByLabel('Next time').locator('option').allTextContents()
    expect(offered.sort()).toEqual(FAULTS.map(({ label }) => label).sort())
    const cardCalls = FAULTS.filter(({ service }) => service === 'card').map(({ fault }) => (fault as { call: string }).call)
    expect(CARD_CALLS.filter((call) => !cardCalls.includes(call))).toEqual([])
    for (const { label, service, fault } of FAULTS) {
      const { status } = await fetch(`${shopUrl}${SERVICES[service]?.address}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      })
      expect({ label, status }).toEqual({ label, status: 201 })
    }
  })

  test('shows the first five of a long list, and the rest on request', async () => {
    for (let count = 0; count < 12; count += 1) await begin()
    await page.goto(`${shopUrl}/sandbox`)
    const payments = page.getByRole('region', { name: 'Card payments' }).getByRole('listitem')
    await expect.poll(() => payments.count()).toBe(5)
    await page.getByRole('button', { name: 'Show all 12 payments' }).click()
    expect(await payments.count()).toBe(12)
  })

  test('says so when the shop does not answer', async () => {
    const page = await openStoppedPage()
    await page.goto(`${shopUrl}/sandbox`)
    await page.route('**/api/sandbox/state', (route) => route.abort())
    await page.clock.runFor(3_000)
    await page.getByRole('alert').getByText('The shop does not answer.').waitFor()
  })

  test('does not poll while hidden', async () => {
    const page = await openStoppedPage()
    await page.goto(`${shopUrl}/sandbox`)
    await page.getByText('Nothing: all goes well.').waitFor()
    await lookAway(page, true)
    await sendMail('While away', 'Hello')
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/state')) asked += 1
    })
    await page.clock.runFor(60_000)
    expect(asked).toBe(0)
    await lookAway(page, false)
    await page.getByRole('heading', { name: 'While away' }).waitFor()
    expect(asked).toBe(1)
  })
})

describe.each([
  ['light', PHONE, DESKTOP],
  ['dark', DESKTOP, PHONE],
] as const)('in %s', (colorScheme, viewport, otherViewport) => {
  test(`both pages can be used by everyone at ${viewport.width} px, and fit at both widths`, async () => {
    const { reference, accessCode } = await begin()
    await sendMail('A long address', `http://127.0.0.1/${'a'.repeat(400)}`)
    await sandbox.cardProvider.pay(reference)
    await begin({ email: `${'a'.repeat(60)}@example.com` })
    const { accessCode: open } = await begin()
    sandbox.cardProvider.addFault({ call: 'verify', kind: 'data', data: { amount: 1 }, times: 3 })
    await order()
    sandbox.supplier.hubnet.addFault({
      call: 'delivery',
      kind: 'end',
      state: 'failed',
      word: 'Unsettled',
      reason: 'x'.repeat(120),
      afterMs: 0,
    })
    await order()
    sandbox.supplier.hubnet.addFault({ call: 'order', kind: 'reply', status: 200, body: { long: 'y'.repeat(200) } })
    await sendSms(`https://127.0.0.1/${'b'.repeat(140)}`)
    const context = await browser.newContext({ viewport, colorScheme })
    const themed = await context.newPage()
    for (const address of ['/sandbox', `/sandbox/card/popup?access_code=${open}`, `/sandbox/card/popup?access_code=${accessCode}`]) {
      await themed.goto(shopUrl + address)
      await themed
        .getByText(address === '/sandbox' ? 'A long address' : /Sandbox: no real money/)
        .first()
        .waitFor()
      await themed.waitForLoadState('networkidle')
      for (const size of [otherViewport, viewport]) {
        await themed.setViewportSize(size)
        expect(await themed.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0)
      }
      const { violations } = await new AxeBuilder({ page: themed }).options({ resultTypes: ['violations'] }).analyze()
      expect({ address, violations: violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target) })) }).toEqual({
        address,
        violations: [],
      })
    }
    await context.close()
  })
})

/** What the shop's page does with the pop-up, in little. */
const HOST_PAGE = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="/favicon.svg" /><body><script>
  window.told = []
  window.open_ = (accessCode) => {
    const frame = document.querySelector('iframe') ?? document.body.appendChild(document.createElement('iframe'))
    const send = (message) => frame.contentWindow.postMessage(message, location.origin)
    const begin = () => { send({ type: 'inline:url', path: 'newTransaction', params: { accessCode } }); send('render') }
    if (frame.src) return begin()
    frame.style = 'border: 0; width: 340px; height: 720px'
    addEventListener('message', (message) => {
      if (message.source !== frame.contentWindow || message.origin !== location.origin) return
      told.push(message.data)
      if (message.data.event === 'loaded:checkout') begin()
    })
    frame.src = '/sandbox/card/popup'
  }
</script></body></html>`

type Told = { event: string; data: object }

async function openFrame(accessCode: string): Promise<FrameLocator> {
  await page.goto(shopUrl)
  await page.evaluate(`window.open_('${accessCode}')`)
  return page.frameLocator('iframe[src]')
}

function told(): Promise<Told[]> {
  return page.evaluate('window.told')
}

async function lastTold() {
  return (await told()).at(-1)
}

function lookAway(page: Page, hidden: boolean) {
  return page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}

async function begin(change: object = {}) {
  references += 1
  const reference = `page${String(references).padStart(12, '0')}`
  const response = await fetch(`${sandbox.cardProvider.baseUrl}/transaction/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.cardProvider.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ama@example.com', amount: 2575, reference, ...change }),
  })
  if (!response.ok) throw new Error(`${response.status}`)
  const { data } = (await response.json()) as { data: { access_code: string } }
  return { reference, accessCode: data.access_code }
}

async function order(reference?: string) {
  references += 1
  const made = reference ?? `data${String(references).padStart(12, '0')}`
  const { baseUrl, key } = sandbox.supplier.hubnet
  const response = await fetch(`${baseUrl}/at-new-transaction`, {
    method: 'POST',
    headers: { token: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '0271234567', volume: '2000', reference: made }),
  })
  const reply = (await response.json()) as { status: string; code?: string }
  if (reply.status !== 'success') throw new Error(reply.code)
  return made
}

async function sendSms(message: string) {
  const { baseUrl, apiKey } = sandbox.sms.arkesel
  const response = await fetch(`${baseUrl}/api/v2/sms/send`, {
    method: 'POST',
    headers: { 'api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ sender: 'Dwadi', message, recipients: ['233241234567'] }),
  })
  if (!response.ok) throw new Error(`${response.status}`)
}

async function sendMail(subject: string, text: string) {
  const mailer = createTransport(sandbox.mail.smtpUrl)
  await mailer.sendMail({ from: 'shop@dwadi.example', to: 'ama@example.com', subject, text })
  mailer.close()
}
