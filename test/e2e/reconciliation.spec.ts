import type { Page } from '@playwright/test'
import { INVARIANTS } from '../../server/ledger/invariants/invariants.ts'
import { check } from './check-accessibility.ts'
import type { Shop } from './open-shop.ts'
import { answer, expect, follow, keepSession, openStore, placedSheet, putIntoCart, test, toastOf } from './shop.ts'

// Needs its own shop, because it pauses purchases.
test.use({ shopSettings: { SHOP_NAME: 'Books', JOB_TIMINGS: 'quick' } })

test('when the books do not add up nothing is sold, the admin sees the row, and lets purchases go on with a reason', {
  tag: '@long',
}, async ({ page, browserOf, shop, troubles }) => {
  test.slow()
  troubles.expect(/^503 POST \/api\/order\/checkout$/)
  troubles.expect(/^503 POST \/api\/payment$/)
  const customer = await shop.makeUser({ balance: 100 })
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { network: 'MTN', offer: '1GB' })
  const admin = await browserOf(shop.admin)
  await admin.goto('/admin/books')
  await admin.getByRole('button', { name: 'Check now' }).click()
  await expect(admin.getByText(`Purchases are open. All ${INVARIANTS.length} checks of the books pass.`)).toBeVisible()
  await expect(admin.getByRole('listitem').filter({ hasText: 'Passed' })).toHaveCount(INVARIANTS.length)
  await check(admin, 'the books that hold')

  await damage(shop, shop.admin.username, 7)
  await admin.getByRole('button', { name: 'Check now' }).click()
  await expect(admin.getByText(/^Purchases have been paused since/)).toBeVisible()
  const broken = admin.getByRole('region', { name: 'Checks of the books' }).getByRole('listitem').filter({ hasText: 'Broken' })
  await expect(broken).toHaveCount(1)
  await expect(broken).toContainText(`wallet of ${shop.admin.username}`)
  await expect(admin.getByRole('navigation', { name: 'Admin Portal' }).getByText('paused')).toBeVisible()
  await check(admin, 'the books that do not hold')

  await follow(page, '/cart')
  await buyFromCart(page, 'Checkout with wallet')
  await expect(page.getByRole('main').getByText(/^Purchases are paused while we check the books\. Nothing was charged/)).toBeVisible()
  await page.getByRole('button', { name: /^Checkout without wallet/ }).click()
  await answer(page, 'Are you sure you want to proceed to checkout now?', /^Pay/)
  await expect(page.getByRole('alert')).toHaveText(/^Purchases are paused while we check the books/)
  expect(await shop.ordersOf(customer)).toEqual([])
  expect(await shop.balanceOf(customer)).toBe(100)

  await admin.getByRole('button', { name: 'Resume purchases' }).click()
  await expect(admin.getByText('Say in a few words why selling may go on.')).toBeVisible()
  await admin.getByLabel('Why is it safe to sell again?').fill('A balance that nobody pays from; mended tonight')
  await admin.getByRole('button', { name: 'Resume purchases' }).click()
  await answer(admin, 'Do you want customers to buy again now?', 'No')
  await expect(admin.getByText(/^Purchases have been paused since/)).toBeVisible()
  await admin.getByRole('button', { name: 'Resume purchases' }).click()
  await answer(admin, 'Do you want customers to buy again now?', 'Yes, let them buy')
  await expect(toastOf(admin, 'Customers can buy again')).toBeVisible()
  await expect(admin.getByText('Purchases are open although 1 check of the books fails.')).toBeVisible()

  await buyFromCart(page, 'Checkout with wallet')
  await expect(placedSheet(page)).toContainText('Orders placed successfully')
  await damage(shop, shop.admin.username, -7)
  await admin.getByRole('button', { name: 'Check now' }).click()
  await expect(admin.getByText(`Purchases are open. All ${INVARIANTS.length} checks of the books pass.`)).toBeVisible()
  await follow(admin, '/admin/activity')
  await expect(admin.getByText('Resumed purchases').first()).toBeVisible()
  await expect(admin.getByText(/A balance that nobody pays from; mended tonight/).first()).toBeVisible()
})

async function buyFromCart(page: Page, button: string) {
  await page.getByRole('button', { name: button }).click()
  await answer(page, 'Are you sure you want to proceed to checkout now?')
}

/** A balance that nobody paid for. */
async function damage(shop: Shop, username: string, pesewas: number) {
  await shop.sql(`update wallets w set balance_pesewas = balance_pesewas + $2 from users u where u.id = w.user_id and u.username = $1`, [
    username,
    pesewas,
  ])
}
