import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { entriesOf, expect, keepSession, logOut, offerTile, openStore, test } from './shop.ts'

test.use({ serviceWorkers: 'allow' })

test('the shop opens without a connection, with what was last known and said to be so', async ({ page, context, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 20 })
  const [order] = await shop.buy({ ...customer }, [{}])
  await keepSession(page, customer)
  await openStore(page)
  await waitUntilInstalled(page)
  await page.goto('/user/history')
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1)
  await page.goto('/store')
  await expect(offerTile(page, 'MTN', '1GB')).toBeVisible()

  troubles.expect(/ERR_INTERNET_DISCONNECTED|failed GET/)
  await context.setOffline(true)
  await page.goto('/store')
  await expect(offerTile(page, 'MTN', '1GB')).toContainText('¢5.50')
  await expect(page.getByText(/Prices as you last saw them/)).toBeVisible()
  await expect(page.getByText('This is the store as you last saw it.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: /^Wallet balance/ })).toContainText('¢14.50')
  await page.goto('/user/history')
  await expect(entriesOf(page, 'My Transactions')).toContainText((order as { receiver: string }).receiver.slice(-4))
  await context.setOffline(false)
})

test('nothing of the user is kept after signing out, and no call is ever kept', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 20 })
  await shop.buy(customer, [{}])
  await keepSession(page, customer)
  await openStore(page)
  await waitUntilInstalled(page)
  for (const path of ['/user/history', '/user/finance', '/cart']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  const keptBefore = await keptAddresses(page)
  expect(keptBefore.length).toBeGreaterThan(5)
  expect(keptBefore.filter((path) => !/^\/(?:$|app-shell$|assets\/|images\/)/.test(path))).toEqual([])

  await logOut(page)
  await expect(page).toHaveURL('/login')
  const kept = await page.evaluate(async () => {
    const texts = await Promise.all(
      (await caches.keys()).map(async (name) => {
        const cache = await caches.open(name)
        const replies = await cache.matchAll()
        return Promise.all(replies.filter((reply) => !/image/.test(reply.headers.get('content-type') ?? '')).map((reply) => reply.text()))
      }),
    )
    return JSON.stringify([texts, { ...localStorage }])
  })
  for (const own of [customer.token, customer.phone, customer.username, customer.email]) expect(kept).not.toContain(own)
})

test('on a second visit, what the server alone answers is not the kept page', async ({ page, shop, troubles }) => {
  troubles.expect(/^401 GET .v1.lists/)
  troubles.expect(/^404 GET .nothing-here/)
  await page.goto('/store')
  await waitUntilInstalled(page)
  for (const path of ['/v1/guide', '/healthz', '/robots.txt', '/api/product', '/v1/lists', '/sandbox', '/nothing-here']) {
    const [visited, asked] = [await page.goto(path), await fetch(shop.address + path, { headers: { accept: 'text/html' } })]
    expect([path, visited?.status(), await page.title()]).toEqual([path, asked.status, titleOf(await asked.text())])
  }
  await page.goto('/track?ref=1')
  expect(
    await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((entry) => (entry as PerformanceNavigationTiming).workerStart > 0),
    ),
  ).toEqual([true])
})

test('a new version takes over, and none of the old one is left', { tag: '@long' }, async ({ browser, shop }) => {
  const front = await openFront(shop.address)
  const context = await browser.newContext({ baseURL: front.address, serviceWorkers: 'allow' })
  try {
    const page = await context.newPage()
    await page.goto('/store')
    await waitUntilInstalled(page)
    const main = (await keptAddresses(page)).find((path) => /\/index-/.test(path)) as string
    await page.reload()
    await expect(offerTile(page, 'MTN', '1GB')).toBeVisible()

    const next = renewed(main)
    front.renew()
    // A visit with the old version finds the new one; the visit after that begins with it.
    await page.reload()
    await expect.poll(() => keptAddresses(page)).not.toContain(main)
    expect(await keptAddresses(page)).toContain(next)
    await page.reload()
    await expect(offerTile(page, 'MTN', '1GB')).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)))
      .toContain(next)
    await offerTile(page, 'MTN', '1GB').click()
    await expect(page.getByRole('dialog')).toBeVisible()
  } finally {
    await context.close()
    await front.close()
  }
})

/** Stands before the shop; once renewed, every script has another name, as after a change of what all of them import. */
async function openFront(address: string) {
  let isRenewed = false
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    if (isRenewed && renewed(path) !== path) {
      response.writeHead(404).end()
      return
    }
    const reply = await fetch(address + path.replace(`${RENEWED}.js`, '.js'), {
      method: request.method ?? 'GET',
      headers: { accept: request.headers.accept ?? '*/*' },
    })
    const type = reply.headers.get('content-type') ?? ''
    const body = Buffer.from(await reply.arrayBuffer())
    const isText = isRenewed && /text|javascript|json/.test(type)
    response.writeHead(reply.status, { 'content-type': type, 'cache-control': reply.headers.get('cache-control') ?? 'no-cache' })
    response.end(isText ? renewed(body.toString()).replaceAll(REVISION, '"next-version-000"') : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = server.address() as AddressInfo
  return {
    address: `http://localhost:${own.port}`,
    renew() {
      isRenewed = true
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const RENEWED = '-renewed'

/** With the name of each script with a hash, of six or of eight, made another. */
function renewed(text: string): string {
  return text.replaceAll(/(?<=-[\w-]{6,8})(?<!-renewed|service-worker)\.js\b/g, `${RENEWED}.js`)
}

/** As the server writes it for its pages: two hashes of eight. */
const REVISION = /(?<=revision:|=)[`"'][\w-]{16}[`"']/g

async function waitUntilInstalled(page: Page) {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

async function keptAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const caching = (await caches.keys()).map(async (name) =>
      (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
    )
    return (await Promise.all(caching)).flat()
  })
}

function titleOf(html: string): string {
  return /<title>([^<]*)/.exec(html)?.[1] ?? ''
}
