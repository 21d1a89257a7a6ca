import type { Locator, Page } from '@playwright/test'
import { chunkOf } from './chunks.ts'
import {
  answer,
  entriesOf,
  entryOf,
  expect,
  fillBuyPage,
  keepSession,
  networkSection,
  openStore,
  requestRecharges,
  test,
  toastOf,
} from './shop.ts'

test('the picture of a product stands beside its name, on the BUY PAGE and in the cart', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser())
  await openStore(page)
  await expectPicture(networkSection(page, 'MTN').locator('img'))
  const dialog = await fillBuyPage(page)
  await expectPicture(dialog.locator('img'))
  await dialog.getByRole('button', { name: 'Add to cart' }).click()
  const toast = toastOf(page, 'Added to your cart')
  await expect(toast).toBeVisible()
  await expectTopCentre(page, toast)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' }).click()
  await expectPicture(page.getByRole('main').getByRole('listitem').locator('img'))
})

test('a screen that is on its way says so', { tag: '@desktop' }, async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser())
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**${chunkOf('cart-page')}`, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/cart', { waitUntil: 'commit' })
  await expect(page.getByRole('main').getByText('Loading…')).toBeAttached()
  release()
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await expect(page.getByRole('main').getByText('Loading…')).toHaveCount(0)
})

test('the recharges of all users have pages and a search', { tag: ['@desktop', '@long'] }, async ({ page, shop }) => {
  const customer = await shop.makeUser()
  const made = await requestRecharges(shop, customer, 6)
  await keepSession(page, shop.admin)
  await page.goto('/admin/finance')
  const list = page.getByRole('region', { name: 'Wallet Recharge History', exact: true })
  const entries = entriesOf(page, 'Wallet Recharge History')
  await list.getByRole('searchbox').fill(customer.username)
  await expect(entries).toHaveCount(6)
  await expect(entries.first()).toContainText(made.at(-1) ?? 'none')
  await list.getByLabel('Entries per page').selectOption('5')
  await expect(list.getByText('Showing 5 of 6 entries')).toBeVisible()
  await list.getByRole('button', { name: 'Page 2' }).click()
  await expect(entries).toHaveCount(1)
  await expect(entries).toContainText(made[0] ?? 'none')
})

test('Cancel leaves a product as it was', { tag: ['@desktop', '@long'] }, async ({ page, shop }) => {
  const before = await shop.findProduct('MTN PULSE')
  await keepSession(page, shop.admin)
  await page.goto('/admin/products')
  await entryOf(page, 'Products', 'MTN PULSE').getByRole('button', { name: 'Update' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Product' })
  await dialog.getByLabel('Customer price of offer 1').fill('1')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await answer(page, 'Leave without saving your changes?')
  await expect(dialog).toHaveCount(0)
  expect(await shop.findProduct('MTN PULSE')).toEqual(before)
})

test('a banned user stands in red', { tag: '@desktop' }, async ({ page, shop }) => {
  const [active, banned] = [await shop.makeUser(), await shop.makeUser()]
  await shop.call('PUT', `/user/${banned._id}/status`, { as: shop.admin, body: { status: 'Banned' } })
  await keepSession(page, shop.admin)
  await page.goto('/admin/stats')
  const red = await rednessOf(page.getByLabel(`Status of ${banned.username}`))
  expect(red).toBeGreaterThan(60)
  expect(await rednessOf(page.getByLabel(`Status of ${active.username}`))).toBeLessThan(30)
})

async function expectPicture(picture: Locator) {
  await expect(picture).toHaveCount(1)
  await picture.scrollIntoViewIfNeeded()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true)
}

async function expectTopCentre(page: Page, toast: Locator) {
  const box = await toast.boundingBox()
  const width = page.viewportSize()?.width ?? 0
  if (!box) throw new Error('the toast is not on the page')
  expect(Math.abs(box.x + box.width / 2 - width / 2)).toBeLessThan(12)
  // On a phone over the bar, round the balance in it.
  const bar = await page.getByRole('banner').boundingBox()
  expect(box.y).toBeGreaterThanOrEqual(bar?.y ?? 0)
  expect(box.y).toBeLessThan((bar?.y ?? 0) + 20)
}

/** By how much the red of the text outweighs its green and blue, from -255 to 255. */
function rednessOf(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const brush = document.createElement('canvas').getContext('2d')
    if (!brush) throw new Error('no canvas')
    brush.fillStyle = getComputedStyle(element).color
    brush.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = brush.getImageData(0, 0, 1, 1).data
    return red - Math.max(green, blue)
  })
}
