import type { Locator, Page } from '@playwright/test'
import { chunkOf } from './chunks.ts'
import { expect, follow, keepSession, networkSection, offerTile, test } from './shop.ts'

test('the home page says what is sold, leads to the store and tells how to reach the shop', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/affordable data bundles/i)

  const contact = page.getByRole('region', { name: 'Contact Us' })
  await expect(contact).toContainText('Mondays - Sundays, 7:40am - 8:30pm')
  await expect(contact.getByRole('link', { name: 'Phone' })).toHaveAttribute('href', 'tel:0240000000')
  await expect(contact.getByRole('link', { name: 'E-mail' })).toHaveAttribute('href', 'mailto:hello@dwadi.example')
  const whatsApp = contact.getByRole('link', { name: /^WhatsApp/ })
  await expect(whatsApp).toHaveCount(2)
  await expect(whatsApp.first()).toHaveAttribute('href', 'https://wa.me/233240000000')
  await expect(whatsApp.last()).toHaveAttribute('href', 'https://wa.me/233500000000')

  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('© 2024 Dwadi')
  await expect(footer).toContainText('Developed by')

  await page.getByRole('link', { name: 'BUY HERE' }).click()
  await expect(page).toHaveURL('/store')
  await expect(page.getByRole('heading', { name: 'Store' })).toBeVisible()
})

test('a visitor sees prices on the home page before any script, and a network leads to its offers', async ({ page, browser, shop }) => {
  const withoutScripts = await browser.newContext({ baseURL: shop.address, javaScriptEnabled: false })
  const plain = await withoutScripts.newPage()
  await plain.goto('/')
  await expect(plain.getByRole('list', { name: 'Today’s tickets' }).getByRole('link', { name: '1GB MTN ¢5.50' })).toBeVisible()
  await expect(plain.getByRole('link', { name: /^WAEC Checkers .* from ¢19.00$/ })).toBeVisible()
  await withoutScripts.close()

  await page.goto('/')
  await page.getByRole('link', { name: /^WAEC Checkers / }).click()
  await expect(page).toHaveURL('/store#waec-checkers')
  await expect(networkSection(page, 'WAEC Checkers')).toBeInViewport()
})

test('a customer begins with what they bought last, one press before the question', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 20 })
  await keepSession(page, customer)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Who needs data today?' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Today’s tickets' })).toBeVisible()

  await shop.buy(customer, [{ phoneNumber: '0241234567' }])
  await page.reload()
  await page.getByRole('link', { name: /^Buy again: 024 123 4567 .* ¢5.50$/ }).click()
  await page.getByRole('button', { name: 'I understand' }).click()
  await expect(page.getByText('Are you sure you want to proceed to checkout now?')).toBeVisible()
})

test('whoever goes elsewhere before the code of the home page is there comes out where they went', async ({ page }) => {
  const { promise: gone, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(`**${chunkOf('home-page')}`, async (route) => {
    await gone
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await follow(page, '/track')
  goOn()
  await expect(page.getByLabel('Order number or reference')).toBeVisible()
})

test('the testimonials move on every five seconds, round and round', async ({ page }) => {
  const carousel = await openCarousel(page)
  await expect(slides(carousel)).toHaveCount(3)
  for (const number of [2, 3, 1]) {
    await page.clock.runFor(4_800)
    await expectSlide(carousel, number === 1 ? 3 : number - 1)
    await page.clock.runFor(300)
    await expectSlide(carousel, number)
  }
})

test('the testimonials wait under the mouse', { tag: '@desktop' }, async ({ page }) => {
  const carousel = await openCarousel(page)
  await carousel.hover()
  await expectMoving(carousel, false)
  await page.clock.runFor(20_000)
  await expectSlide(carousel, 1)
  await page.mouse.move(0, 0)
  await expectMoving(carousel, true)
  await page.clock.runFor(5_300)
  await expectSlide(carousel, 2)

  await carousel.getByRole('button', { name: 'Next testimonial' }).click()
  await expectSlide(carousel, 3)
  await carousel.getByRole('button', { name: 'Next testimonial' }).click()
  await expectSlide(carousel, 1)
  await carousel.getByRole('button', { name: 'Previous testimonial' }).click()
  await expectSlide(carousel, 3)

  await carousel.getByRole('button', { name: 'Pause the testimonials' }).click()
  await page.mouse.move(0, 0)
  await page.getByRole('link', { name: 'BUY HERE' }).focus()
  await page.clock.runFor(20_000)
  await expectSlide(carousel, 3)
})

test('a swipe of forty pixels turns the testimonials, a shorter one does not', { tag: '@long' }, async ({ page }) => {
  const carousel = await openCarousel(page)
  // A press that comes before the scripts is kept for them; a swipe is not.
  await carousel.getByRole('button', { name: 'Next testimonial' }).click()
  await expectSlide(carousel, 2)
  await carousel.getByRole('button', { name: 'Previous testimonial' }).click()
  await expectSlide(carousel, 1)
  await swipe(page, carousel, -39)
  await expectSlide(carousel, 1)
  await swipe(page, carousel, -40)
  await expectSlide(carousel, 2)
  await swipe(page, carousel, 60)
  await expectSlide(carousel, 1)
  await swipe(page, carousel, 60)
  await expectSlide(carousel, 3)
})

test('an unknown address has a page that helps, and says 404', { tag: '@desktop' }, async ({ page, troubles }) => {
  troubles.expect(/^404 GET \/no\/such\/page$/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Go to the store' }).click()
  await expect(page).toHaveURL('/store')
})

test('a visitor sees customer prices and the bar of a visitor', async ({ page }) => {
  await page.goto('/store')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Store', 'Login', 'Register']) await expect(navigation.getByRole('link', { name })).toBeVisible()
  await expect(offerTile(page, 'MTN', '1GB')).toContainText('¢5.50')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

async function openCarousel(page: Page): Promise<Locator> {
  // The page's time stands still but for what a test lets pass.
  await page.clock.install({ time: '2026-01-05T10:00:00Z' })
  await page.clock.pauseAt('2026-01-05T10:01:00Z')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const carousel = page.getByRole('region', { name: 'Testimonials' })
  // The page shows the carousel before its scripts move it. The focus pauses it, and the five seconds begin once it is gone.
  const next = carousel.getByRole('button', { name: 'Next testimonial' })
  await expect(async () => {
    await page.clock.runFor(50)
    await next.blur()
    await next.focus()
    expect(await isMoving(carousel)).toBe(false)
  }).toPass()
  await carousel.scrollIntoViewIfNeeded()
  await page.mouse.move(0, 0)
  await next.blur()
  await expectMoving(carousel, true)
  await expectSlide(carousel, 1)
  return carousel
}

/** What it shows next is read out only while it stands still. */
async function isMoving(carousel: Locator): Promise<boolean> {
  return (await carousel.locator('[aria-live]').getAttribute('aria-live')) === 'off'
}

async function expectMoving(carousel: Locator, moving: boolean) {
  await expect.poll(() => isMoving(carousel)).toBe(moving)
}

/** All three, shown or not. */
function slides(carousel: Locator): Locator {
  return carousel.getByRole('figure', { includeHidden: true })
}

async function expectSlide(carousel: Locator, number: number) {
  await expect(carousel.getByRole('figure')).toHaveAccessibleName(`${number} of 3`)
}

async function swipe(page: Page, carousel: Locator, byPx: number) {
  const box = await carousel.boundingBox()
  if (!box) throw new Error('the carousel is not on the page')
  const x = box.x + box.width / 2
  const y = box.y + 40
  const browser = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: at, y }] })
  await touch('touchStart', x)
  await touch('touchMove', x + byPx / 2)
  await touch('touchMove', x + byPx)
  await touch('touchEnd', x + byPx)
  await browser.detach()
}
