import type { Browser } from '@playwright/test'
import type { Order } from '../shared/orders.ts'
import type { Shop } from './e2e/open-shop.ts'
import { loseSome, openFaultProxy } from './fault-proxy.ts'

/** 50 kbit a second, two seconds there and back, and of a hundred requests five lost. */
const BAD = { bytesPerSecond: 6_250, roundTripMs: 2_000, lostPercent: 5 }
const PATIENCE_MS = 180_000
const PRICE_CEDIS = 5.5

export type Bought = { receivers: string[]; orders: Order[]; balance: number; expectedBalance: number; lost: number; requests: number }

/** Somebody buys one bundle after the other on a bad line, each for another number, as they would with their thumb. */
export async function buyOnThinLine(
  browser: Browser,
  shop: Shop,
  { times, seat = 0, line = BAD }: { times: number; seat?: number; line?: typeof BAD },
): Promise<Bought> {
  const budget = PRICE_CEDIS * times + 10
  const customer = await shop.makeUser({ balance: budget })
  const proxy = await openFaultProxy(shop.address)
  const context = await browser.newContext({
    baseURL: proxy.url,
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    serviceWorkers: 'allow',
  })
  const receivers: string[] = []
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    page.setDefaultNavigationTimeout(PATIENCE_MS)
    await page.goto('/favicon.svg')
    await page.evaluate((user) => {
      localStorage.setItem('userInfo', JSON.stringify(user))
      localStorage.setItem('CurrUser', JSON.stringify(user))
    }, customer)
    proxy.line = line
    proxy.decide = loseSome(line.lostPercent, 42 + seat)
    await openStore()
    for (let turn = 0; turn < times; turn++) {
      const receiver = `024${(1_000_000 + seat * 10_000 + turn).toString()}`
      receivers.push(receiver)
      const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
      if (turn > 0) await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Store' }).click()
      await page.getByRole('region', { name: 'MTN', exact: true }).getByRole('button', { name: /^1GB/ }).click()
      await dialog.getByLabel('Receiver phone number').fill(receiver)
      await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
      await page.getByRole('dialog', { name: 'Order placed' }).getByRole('button', { name: 'Close' }).click()
    }

    async function openStore() {
      for (let attempt = 0; ; attempt++) {
        // The page itself may be what is lost; then people load it again.
        const opened = await page.goto('/store').catch(() => null)
        if (opened) break
        if (attempt === 5) throw new Error('the store did not open')
      }
      await page.getByRole('button', { name: 'I understand' }).click()
    }
  } finally {
    await context.close()
    await proxy.close()
  }
  const { cuts: lost, requests } = proxy.counts
  const orders = await shop.ordersOf(customer)
  const expectedBalance = Math.round((budget - PRICE_CEDIS * times) * 100) / 100
  return { receivers, orders, balance: await shop.balanceOf(customer), expectedBalance, lost, requests }
}
