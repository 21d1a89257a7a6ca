import type { Page } from '@playwright/test'
import { chunkOf } from './chunks.ts'
import { openShop } from './open-shop.ts'
import { expect, firstTile, keepSession, openStore, test } from './shop.ts'

// What a page says when its code can't be shown is what has happened: the line, an update, a browser too old, or a fault of ours.

test('a browser that is too old is told so in the page itself, and where else to buy', async ({ page }) => {
  await page.addInitScript(() => {
    window.RegExp = class extends RegExp {
      constructor(pattern: string | RegExp, flags?: string) {
        if (flags === 'u') throw new SyntaxError('Invalid regular expression')
        super(pattern, flags)
      }
    } as RegExpConstructor
  })
  for (const path of ['/cart', '/store']) {
    await page.goto(path)
    await expect(page.getByRole('alert')).toContainText('This browser is too old for our shop', { useInnerText: true })
    await expect(page.getByRole('alert').getByRole('link', { name: 'WhatsApp us' })).toHaveAttribute('href', /^https:\/\/wa\.me\//)
    await expect(page.getByRole('alert')).not.toContainText(/connection|went wrong|dial/, { useInnerText: true })
  }
})

test('a shop that sells by USSD tells which code to dial', async ({ page }) => {
  const shop = await openShop('codes', { SHOP_USSD_CODE: '*928*7#' })
  await page.addInitScript(() => Object.assign(window, { fetch: undefined }))
  await page.goto(`${shop.address}/store`)
  await expect(page.getByRole('alert')).toContainText('This browser is too old for our shop', { useInnerText: true })
  await expect(page.getByRole('alert').getByRole('link', { name: '*928*7#' })).toHaveAttribute('href', 'tel:*928*7%23')
  await shop.close()
})

test('code that this browser can’t read, or that fails before the shop stands, is told', async ({ page, troubles }) => {
  troubles.expect(/SyntaxError|Unexpected|planted/)
  await serveAsFirstCode(page, 'const = 1')
  await page.goto('/store')
  await expect(page.getByRole('alert')).toContainText('This browser is too old for our shop', { useInnerText: true })
  await page.unrouteAll()
  await serveAsFirstCode(page, 'throw new Error("planted")')
  await page.goto('/cart')
  await expect(page.getByRole('alert')).toContainText('Something went wrong on this page', { useInnerText: true })
  await expect(page.getByRole('alert')).not.toContainText('connection', { useInnerText: true })
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Load it again' }).click()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
})

test('a fault in a screen is ours and not the connection’s; a lost line is the connection’s', async ({ page, shop, troubles }) => {
  await keepSession(page, await shop.makeUser())
  troubles.expect(/planted|ERR_INTERNET_DISCONNECTED|failed GET|Failed to fetch/)
  await openStore(page)
  await page.route(`**${chunkOf('cart-page')}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'export default function () { throw new Error("planted") }' }),
  )
  const cart = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' })
  await cart.click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Something went wrong on this page', { useInnerText: true })
  await expect(alert).not.toContainText('connection', { useInnerText: true })
  await expect(alert.getByRole('link', { name: 'WhatsApp us' })).toBeVisible()
  await page.unrouteAll()
  await alert.getByRole('link', { name: 'Load it again' }).click()
  await expect(page.getByText('Your cart is empty')).toBeVisible()

  await page.context().setOffline(true)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' }).click()
  await expect(alert).toContainText('Check your connection', { useInnerText: true })
})

test('a page of before an update goes on by itself with the new version, unless something typed would be lost', async ({
  page,
  troubles,
}) => {
  troubles.expect(/^404 GET \/assets\//)
  // Loaded some seconds after the page: it is what loads the page again.
  const kept = page.waitForResponse(`**${chunkOf('keep-installed')}`)
  await page.goto('/store')
  await kept
  await loseCode(page)
  await Promise.all([page.waitForEvent('domcontentloaded'), firstTile(page, 'Telecel').click()])
  // Loaded again a moment ago, it says what has happened instead of doing so once more.
  const keptAgain = page.waitForResponse(`**${chunkOf('keep-installed')}`)
  await keptAgain
  await firstTile(page, 'Telecel').click()
  await expect(page.getByRole('alert').filter({ hasText: 'We have updated the shop' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: 'Buy Telecel' })).toBeVisible()
})

function loseCode(page: Page) {
  const kept = [/^\/assets\/index-/, ...['store', 'store-page', 'store-side', 'first-screens', 'home-page', 'keep-installed'].map(chunkOf)]
  const isLost = ({ pathname }: URL) =>
    pathname.startsWith('/assets/') && !kept.some((one) => (typeof one === 'string' ? one === pathname : one.test(pathname)))
  return page.route(isLost, (route) => route.fulfill({ status: 404, json: {} }))
}

function serveAsFirstCode(page: Page, body: string) {
  return page.route(/\/assets\/index-.*\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}
