import { answer, expect, fillBuyPage, keepSession, openStore, placedSheet, test } from './shop.ts'

test.use({ shopSettings: { SMS: 'off' } })

test('a shop that can send no SMS promises none: neither on the BUY PAGE, nor before and after the purchase, nor on the page of the order', async ({
  page,
  shop,
}) => {
  await keepSession(page, await shop.makeUser({ balance: 50 }))
  await openStore(page)
  const dialog = await fillBuyPage(page, { network: 'WAEC Checkers', offer: 'BECE', phoneNumber: '0245550144' })
  await expect(dialog.getByText('The PIN and serial number show on the page of the order.')).toBeVisible()
  await expect(dialog.getByText(/SMS/)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText('The PIN and serial number show on its page')).toBeVisible()
  await expect(question.getByText(/SMS/)).toHaveCount(0)
  await answer(page, 'Are you sure you want to proceed to checkout now?')
  const placed = placedSheet(page)
  await expect(placed.getByText('It’s ready.', { exact: true })).toBeVisible()
  await expect(placed.getByText(/SMS/)).toHaveCount(0)
  await placed.getByRole('link', { name: 'See the order' }).click()
  await expect(page.getByText('The serial and PIN stand below.', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: /copy the PIN$/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send by e‑mail' })).toBeVisible()
  await expect(page.getByText(/SMS/)).toHaveCount(0)
  // The codes are there: nothing has to be waited for.
  await expect(page.getByText(/Opens at/)).toHaveCount(0)
})
