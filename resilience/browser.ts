import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import type { Product } from '../shared/products.ts'
import { resolveBrowser } from '../test/browser.ts'
import { callAt } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import { makeFolder } from './leftovers.ts'
import { PASSWORD, type Shop, startShop } from './shops.ts'

const ROOT = resolve(import.meta.dirname, '..')
const ADMIN_PHONE = '0200000000'

/** A signed-in user, as the API returns it to a browser. */
export type Customer = { _id: string; token: string; username: string; phone: string; email: string }

/**
 * One process of the shop with its own database and its own simulators, as a visitor of a sandbox finds it, and a real
 * Chromium. These experiments read pages as people do, by roles and words.
 */
export type BrowserShop = {
  address: string
  admin: { token: string }
  shop(): Shop
  dataDir: string
  call<T = Record<string, unknown>>(method: string, path: string, asked?: { as?: { token: string }; body?: unknown }): Promise<T>
  makeCustomer(cedis: number): Promise<Customer>
  product(network?: string): Promise<Product>
  /** In pesewas, by the API. */
  balanceOf(customer: Customer): Promise<number>
  ordersOf(customer: Customer): Promise<{ _id: string; status: string }[]>
  kill(): Promise<void>
  /** Opens it again at the same address. */
  restart(): Promise<void>
  /** A page of somebody who is signed in, or of a visitor. */
  pageFor(customer: { token: string } | null, options?: { bypassCSP?: boolean }): Promise<Page>
  close(): Promise<void>
}

let missing: Promise<string | null> | undefined

/** Why no page can be opened here, or null. Builds the web app first if it is out of date. */
export function browserMissing(): Promise<string | null> {
  missing ??= (async () => {
    try {
      await resolveBrowser()
      await promisify(execFile)(process.execPath, ['tools/build-if-stale.ts'], {
        cwd: ROOT,
        env: { ...process.env, NODE_ENV: 'production' },
      })
      return null
    } catch (error) {
      return String((error as Error).message)
    }
  })()
  return missing
}

/** Records everything the page has said, since a toast is gone after three seconds: also what takes the focus in a dialog. */
const LISTEN = `
  window.__said = []
  const note = (element) => {
    const text = element.innerText.trim()
    const said = (element.getAttribute('role') === 'alert' ? 'alert: ' : 'status: ') + text.replace(/\\s+/g, ' ')
    if (text && window.__said.at(-1) !== said) window.__said.push(said)
  }
  new MutationObserver(() => {
    for (const element of document.querySelectorAll('[role=alert], [role=status], dialog [tabindex="-1"]')) note(element)
  }).observe(document, { childList: true, subtree: true, characterData: true })
`

export async function openBrowserShop(): Promise<BrowserShop> {
  const dataDir = makeFolder('browser')
  let shop = await startShop({ DATA_DIR: dataDir })
  const { address } = shop
  const port = new URL(address).port
  const browser: Browser = await chromium.launch(await resolveBrowser())
  const contexts: BrowserContext[] = []
  let made = 0

  const call = async <T>(method: string, path: string, asked: { as?: { token: string }; body?: unknown } = {}): Promise<T> => {
    const reply = await callAt<T>(address, method, path, asked)
    if (reply.status !== 200 && reply.status !== 201) throw new Error(`${method} ${path} replied ${reply.status}: ${reply.text}`)
    return reply.body
  }
  const admin = await call<{ token: string }>('POST', '/user/login', { body: { userPhone: ADMIN_PHONE, password: PASSWORD } })

  return {
    address,
    admin,
    dataDir,
    call,
    shop: () => shop,
    async makeCustomer(cedis) {
      made += 1
      const name = [...String(made).padStart(5, '0')].map((digit) => 'abcdefghjk'[Number(digit)]).join('')
      const body = {
        username: `page ${name}`,
        email: `${name}@example.com`,
        phone: `0541${String(made).padStart(6, '0')}`,
        password: PASSWORD,
      }
      const user = await call<Customer>('POST', '/user/register', { body })
      if (cedis > 0) await call('PUT', '/user/balance', { as: admin, body: { chosenId: user._id, amount: cedis } })
      return call<Customer>('POST', '/user/login', { body: { userPhone: user.phone, password: PASSWORD } })
    },
    product: async (network = 'MTN') =>
      (await call<Product[]>('GET', '/product')).find((product) => product.network === network) as Product,
    async balanceOf(customer) {
      const [own] = await call<{ balance: number }[]>('GET', '/user/account-balances', { as: customer })
      return Math.round((own?.balance as number) * 100)
    },
    ordersOf: (customer) => call('GET', '/order/allorders', { as: customer }),
    async kill() {
      shop.program.process.kill('SIGKILL')
      await shop.program.ended()
    },
    async restart() {
      shop = await startShop({ DATA_DIR: dataDir, PORT: port })
    },
    async pageFor(customer, { bypassCSP = false } = {}) {
      const context = await browser.newContext({
        baseURL: address,
        bypassCSP,
        serviceWorkers: 'block',
        locale: 'en-GH',
        timezoneId: 'Africa/Accra',
        viewport: { width: 1440, height: 900 },
      })
      contexts.push(context)
      await context.addInitScript(LISTEN)
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      if (customer) {
        await page.goto('/favicon.svg')
        await page.evaluate(
          `for (const name of ['userInfo', 'CurrUser']) localStorage.setItem(name, ${JSON.stringify(JSON.stringify(customer))})`,
        )
      }
      return page
    },
    async close() {
      for (const context of contexts) await context.close().catch(() => undefined)
      await browser.close()
      if (shop.program.process.exitCode === null && shop.program.process.signalCode === null) {
        shop.program.process.kill('SIGTERM')
        await shop.program.ended()
      }
    },
  }
}

/** Opens the store and closes its notice. */
export async function openStore(page: Page) {
  await page.goto('/store')
  if (await page.evaluate(`localStorage.getItem('seenNotice') !== null`)) return
  await page
    .getByRole('button', { name: 'I understand' })
    .click({ timeout: 10_000 })
    .catch(() => undefined)
}

/** The BUY PAGE, filled in. */
export async function fillBuyPage(page: Page, { network = 'MTN', offer = '1GB', phone = '0551234567' } = {}) {
  await page
    .getByRole('region', { name: network, exact: true })
    .getByRole('button', { name: new RegExp(`^${offer}(?!\\w)`) })
    .click()
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  await dialog.getByLabel('Receiver phone number').fill(phone)
  return dialog
}

export async function answerYes(page: Page, name: string | RegExp = 'Yes') {
  await page.getByRole('alertdialog').getByRole('button', { name }).click()
}

export async function payFromWallet(page: Page, what?: Parameters<typeof fillBuyPage>[1]) {
  await openStore(page)
  const dialog = await fillBuyPage(page, what)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answerYes(page)
}

/** All messages that the page has shown since it was opened, also before a reload. */
export async function said(page: Page): Promise<string[]> {
  return (await page.evaluate('window.__said ?? []').catch(() => [])) as string[]
}

/** Waits until the page has shown a message that matches. */
export function hear(page: Page, what: RegExp, withinMs = 60_000): Promise<string> {
  return until(async () => (await said(page)).find((one) => what.test(one)), withinMs).catch(async () => {
    throw new Error(`the page never told ${what}, but ${JSON.stringify(await said(page))}`)
  })
}

/** The balance that the bar at the top shows, in pesewas. */
export async function shownBalance(page: Page): Promise<number> {
  const text = await page
    .getByRole('banner')
    .getByRole('link', { name: /^Wallet balance/ })
    .textContent()
  return Math.round(Number((text ?? '').replace(/[^\d.]/g, '')) * 100)
}
