import { parseArgs } from 'node:util'
import { type BrowserContext, chromium } from '@playwright/test'
import { resolveBrowser } from '../test/browser.ts'
import { openShop, PASSWORD } from '../test/e2e/open-shop.ts'
import { openFaultProxy } from '../test/fault-proxy.ts'

// How long somebody on 2G waits for the store and for an order, at the first visit and the second: npm run node -- bench/slow-line.ts
// [--kbit 50] [--delay 2000] [--save-data] [--requests: what was asked for at each step]. A proxy slows the line, so the socket
// and the service worker are slowed and counted too.
const { values: options } = parseArgs({
  options: {
    kbit: { type: 'string', default: '50' },
    delay: { type: 'string', default: '2000' },
    'save-data': { type: 'boolean', default: false },
    requests: { type: 'boolean', default: false },
  },
})
const PATIENCE_MS = 180_000
const began = performance.now()
const line = { bytesPerSecond: (Number(options.kbit) * 1000) / 8, roundTripMs: Number(options.delay) }

const shop = await openShop('slow')
const proxy = await openFaultProxy(shop.address)
const browser = await chromium.launch(await resolveBrowser())
try {
  const customer = await shop.makeUser({ balance: 50 })
  const context = await browser.newContext({
    baseURL: proxy.url,
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    serviceWorkers: 'allow',
  })
  if (options['save-data']) await saveData(context)
  context.setDefaultTimeout(PATIENCE_MS)
  context.setDefaultNavigationTimeout(PATIENCE_MS)
  const steps: [step: string, seconds: number, kilobytes: number][] = []
  proxy.line = line
  proxy.decide = (request) => {
    if (options.requests) console.log(`${sinceBegun()} ${(proxy.counts.down / 1000).toFixed(1).padStart(7)} KB  ${request}`)
    return 'pass'
  }
  for (const visit of ['first', 'second']) {
    const page = await context.newPage()
    const counted = () => proxy.counts.down
    const step = async (name: string, act: () => Promise<unknown>) => {
      const [at, before] = [performance.now(), counted()]
      if (options.requests) console.log(`${sinceBegun()}: ${visit} visit, ${name}`)
      await act()
      steps.push([`${visit} visit: ${name}`, (performance.now() - at) / 1000, (counted() - before) / 1000])
    }
    const main = page.getByRole('main')
    const tile = main.getByRole('region', { name: 'MTN', exact: true }).getByRole('button', { name: /^1GB/ })
    const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
    await step('prices can be read', async () => {
      await page.goto('/store', { waitUntil: 'commit' })
      await tile.waitFor()
    })
    if (visit === 'first') {
      await step('signed in', async () => {
        await page.goto('/login', { waitUntil: 'commit' })
        await page.getByLabel('Phone number').fill(customer.phone)
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.getByRole('button', { name: 'Login' }).click()
        await page.waitForURL('**/store')
        await page.getByRole('button', { name: 'I understand' }).click()
      })
    }
    await step('BUY PAGE open', async () => {
      await tile.click()
      await dialog.getByLabel('Receiver phone number').fill(visit === 'first' ? '0241234567' : '0241234568')
    })
    await step('bought, from Pay to Order placed', async () => {
      await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
      await page.getByRole('dialog', { name: 'Order placed' }).waitFor()
    })
    await step('a minute at rest', () => page.waitForTimeout(60_000))
    await page.close()
  }
  const orders = await shop.ordersOf(customer)
  console.log(`${options.kbit} kbit/s, ${options.delay} ms${options['save-data'] ? ', data saver' : ''}`)
  for (const [name, seconds, kilobytes] of steps)
    console.log(`${name.padEnd(50)}${seconds.toFixed(1).padStart(7)} s${kilobytes.toFixed(1).padStart(8)} KB`)
  console.log(`${orders.length} orders of 2`)
  process.exitCode = orders.length === 2 ? 0 : 1
} finally {
  await browser.close()
  await proxy.close()
  await shop.close()
}

function sinceBegun(): string {
  return `${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s`
}

/** As Chrome with its Lite mode, or Android's data saver. */
async function saveData(context: BrowserContext): Promise<void> {
  await context.setExtraHTTPHeaders({ 'save-data': 'on' })
  await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }))
}
