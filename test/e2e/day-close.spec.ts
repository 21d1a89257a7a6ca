import type { DaySheet } from '../../shared/day-close.ts'
import { answer, expect, keepSession, test, toastOf } from './shop.ts'

const SINCE = /^\w+ was signed off at [\d:]+[ap]m\. Sign off what came since\?$/

test('on a phone a day is closed with three taps, and the next one once each difference has a sentence', { tag: '@long' }, async ({
  page,
  shop,
}) => {
  // Other journeys of this shop are behind a close of their own.
  const { sheet } = await shop.call<{ sheet: DaySheet }>('GET', '/admin/day-close', { as: shop.admin })
  const before = { from: sheet.from, until: sheet.until, closing: sheet.wallets.closing }
  await shop.call('POST', '/admin/day-close', { as: shop.admin, body: before })
  const customer = await shop.makeUser({ balance: 30 })
  await shop.buy(customer, [{}, {}])
  await keepSession(page, shop.admin)
  await page.goto('/admin/more')
  await page.getByRole('link', { name: 'Day close' }).click()
  const wallets = page.getByRole('region', { name: 'Customers’ wallets' })
  await expect(wallets.getByRole('row').filter({ hasText: 'Paid for orders' })).toContainText('2 orders¢11.00')
  const closing = await wallets.getByRole('row').last().textContent()
  await page.getByRole('button', { name: /^Sign off/ }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Nothing is counted.')
  await answer(page, SINCE, 'No')
  const counted = page.getByLabel('Mobile money: counted')
  await counted.fill('1,500.00')
  // What was understood covers nothing of what was typed, in half a phone's width too.
  const understood = page.locator(`[id="${await counted.getAttribute('id')}-understood"]`)
  await expect(understood).toHaveText('¢1,500.00')
  const [below, field] = [await understood.boundingBox(), await counted.boundingBox()]
  expect(below?.y).toBeGreaterThanOrEqual((field?.y ?? Infinity) + (field?.height ?? 0))
  await counted.fill('500')
  await expect(page.getByText('The next close compares with it')).toBeVisible()
  await page.getByRole('button', { name: /^Sign off/ }).click()
  // The close before is of the same day, and nobody has decided these orders.
  await expect(page.getByRole('alertdialog')).toContainText('2 orders are still to decide and go on into the next day.')
  await answer(page, SINCE)
  await expect(toastOf(page, /is signed off\.$/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Counted' })).toContainText('Signed by')

  await page.getByRole('link', { name: 'Back' }).click()
  await expect(wallets.getByRole('row').first()).toContainText(closing?.replace(/^=Closing\s*/, '') ?? 'no closing')
  await expect(page.getByText('Nothing has moved since')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Sign off/ })).toBeDisabled()
  await page.getByLabel('Mobile money: counted').fill('580')
  await expect(page.getByText('+¢80.00 against ¢500.00')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Sign off/ })).toBeDisabled()
  await page.getByLabel('Mobile money: why it differs').fill('Kojo paid 80 without a request.')
  await page.getByRole('button', { name: /^Sign off/ }).click()
  await answer(page, SINCE)
  await expect(page.getByRole('region', { name: 'Counted' })).toContainText('Kojo paid 80 without a request.')
})
