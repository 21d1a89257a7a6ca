import type { Locator } from '@playwright/test'
import { expect, fillBuyPage, keepSession, openStore, shownBalance, test, toastOf } from './shop.ts'

// What a customer on a small phone reads of their money, and whether it stands where they see it.

test('too little money: what is bought and for whom is asked again, and on My Wallet the button that tops up is in sight', async ({
  page,
  shop,
}) => {
  await keepSession(page, await shop.makeUser())
  await openStore(page)
  const dialog = await fillBuyPage(page, { network: 'MTN', offer: '5GB', phoneNumber: '0551234567' })
  await dialog.getByRole('button', { name: /^Top up ¢/ }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText('MTN 5GB')).toBeVisible()
  await expect(question.getByText('055 123 4567')).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: /^Pay with wallet/ }).click()
  await expect(page).toHaveURL(/\/user\/finance$/)
  await expect(page.getByText(/^You need ¢.* more for MTN 5GB to 055 123 4567\.$/)).toBeVisible()
  const topUp = page.getByRole('button', { name: /^Top up now/ })
  await expect(topUp).toBeInViewport({ ratio: 1 })
  const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
  const button = await topUp.boundingBox()
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
  await page.getByLabel('Recharge amount').fill('99999999999')
  await expect(page.getByText('The amount must be at most 50,000.00 cedis.')).toBeVisible()
})

test('a toast on a phone covers neither the headline nor the balance, however long it is', async ({ page, shop }) => {
  const buyer = await shop.makeUser({ balance: 1234.5 })
  const [order] = await shop.buy(buyer, [{}])
  await keepSession(page, buyer)
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }))
  await page.goto(`/order/${order?.number}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const toast = toastOf(page, 'Link copied. Whoever has it sees where the order is.')
  await expect(toast).toBeVisible()
  expect(await isOver(toast, page.getByRole('heading', { level: 1 }))).toBe(false)
  const balance = shownBalance(page)
  // The balance is what is there, in front of the toast.
  const isInFront = await balance.evaluate((shown) => {
    const { left, top, width, height } = shown.getBoundingClientRect()
    const there = document.elementFromPoint(left + width / 2, top + height / 2)
    return there !== null && (shown.contains(there) || there.contains(shown))
  })
  expect(isInFront).toBe(true)
  // The words of the toast go round it.
  const overlaps = await toast.getByText('Link copied.', { exact: false }).evaluate((line) => {
    const stays = document.querySelector('[data-above-toasts]')?.getBoundingClientRect()
    const range = document.createRange()
    range.selectNodeContents(line)
    return [...range.getClientRects()].some(
      (word) => stays && word.right > stays.left && word.left < stays.right && word.top < stays.bottom && word.bottom > stays.top,
    )
  })
  expect(overlaps).toBe(false)
  await toast.getByRole('button').click()
  await expect(toast).toHaveCount(0)
  // Where the page has been scrolled it stands over the bar as well.
  await page.setViewportSize({ width: 360, height: 640 })
  await page.evaluate(() => window.scrollTo(0, 200))
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(toast).toBeInViewport({ ratio: 1 })
  expect((await toast.boundingBox())?.y).toBeLessThan(20)
})

test('a purchase that was left at the question for the PIN is over; one without an answer is asked about by its name', async ({
  page,
  shop,
  troubles,
}) => {
  const buyer = await shop.makeUser({ balance: 50 })
  await keepSession(page, buyer)
  await openStore(page)
  // No answer comes, and the buyer is back much later.
  troubles.expect(/ERR_FAILED|failed POST/)
  await page.route('**/api/order/checkout', (route) => route.abort())
  const dialog = await fillBuyPage(page, { network: 'MTN', offer: '1GB', phoneNumber: '0551234567' })
  await dialog.getByRole('button', { name: /^Pay with wallet/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('checkoutIntention'))).toContain('0551234567')
  await page.evaluate(() => {
    const kept = localStorage.getItem('checkoutIntention') ?? ''
    localStorage.setItem('checkoutIntention', kept.replace(/"startedAt":\d+/, '"startedAt":1700000000000'))
  })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  const question = page.getByRole('alertdialog', { name: 'Unfinished purchase' })
  await expect(question).toContainText('You started to buy MTN 1GB to 055 123 4567 for ¢5.50, and no answer came.')
  await question.getByRole('button', { name: 'Go on' }).click()
  await expect(toastOf(page, 'Your order is placed successfully')).toBeVisible()

  await page.goto('/user/account')
  await page.getByRole('button', { name: 'Set a PIN' }).click()
  const form = page.locator('form').filter({ hasText: 'New PIN' })
  await form.getByLabel('Your password').fill('a good password')
  await form.getByLabel('New PIN', { exact: true }).fill('8362')
  await form.getByLabel('New PIN again').fill('8362')
  await form.getByRole('button', { name: 'Save PIN' }).click()
  await expect(toastOf(page, 'Your PIN is saved.')).toBeVisible()
  troubles.expect(/^403 POST \/api\/order\/checkout/)
  await openStore(page)
  const second = await fillBuyPage(page, { network: 'MTN', offer: '2GB', phoneNumber: '0551234567' })
  await second.getByRole('button', { name: /^Pay with wallet/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
  await expect(page.getByRole('dialog', { name: 'Enter your PIN' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('checkoutIntention') ?? '')).not.toContain('0551234567')
})

async function isOver(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!a || !b) throw new Error('not on the page')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
