import { entriesOf, entryOf, expect, keepSession, requestRecharges, shownBalance, test, toastOf } from './shop.ts'

test('a recharge is asked for, paid for as the notice says, and seen as approved without a reload', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await page.goto('/user/finance')
  await expect(page.getByText("You haven't recharged your wallet yet")).toBeVisible()

  const amount = page.getByLabel('Recharge amount')
  const request = page.getByRole('button', { name: 'Request' })
  await expect(amount).toHaveAttribute('title', 'At least 50.00 cedis')
  await expect(request).toBeDisabled()
  for (const wrong of ['49.99', '0', '5', 'abc', '50.001', '.']) {
    await amount.fill(wrong)
    await expect(request, wrong).toBeDisabled()
  }
  await amount.fill('49.99')
  await expect(amount).toHaveAccessibleDescription(/The amount must be at least 50\.00 cedis\./)
  await amount.fill('50')
  await expect(request).toBeEnabled()
  await request.click()

  const notice = page.getByRole('dialog', { name: 'PAYMENT NOTICE' })
  await expect(notice).toBeVisible()
  const [recharge] = await shop.call<{ rechargeId: string }[]>('GET', '/recharge', { as: customer })
  const { momoPhoneNumber, momoAccountName } = await shop.notice()
  await expect(toastOf(page, `Recharge request submitted successfully. Your reference ID is ${recharge?.rechargeId}`)).toBeVisible()
  await expect(notice).toContainText(momoPhoneNumber.replace(/(...)(...)(....)/, '$1 $2 $3'))
  await expect(notice).toContainText(momoAccountName)
  await expect(notice.getByText(recharge?.rechargeId ?? 'none', { exact: true })).toBeVisible()
  await expect(notice).toContainText('Send ¢50.00 by mobile money')
  await expect(notice.getByText(/Complaints\? Send an SMS to/)).toBeVisible()

  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(notice).toBeVisible()
  await expect(notice.getByRole('button', { name: 'Close' })).toHaveCount(0)
  await notice.getByRole('button', { name: 'I have noted it' }).click()
  await expect(notice).toBeHidden()
  await expect(amount).toHaveValue('')

  const entry = entryOf(page, 'Wallet history', recharge?.rechargeId ?? 'none')
  await expect(entry).toContainText('¢50.00')
  await expect(entry).toContainText('pending')
  await expect(entry).toContainText(/\d\d\/\d\d\/\d{4}/)
  await expect(shownBalance(page)).toContainText('¢0.00')

  const [open] = await shop.call<{ _id: string }[]>('GET', '/recharge', { as: customer })
  await shop.call('PUT', `/recharge/${open?._id}/approve`, { as: shop.admin, body: {} })
  await expect(entry).toContainText('approved')
  await expect(shownBalance(page)).toContainText('¢50.00')
  await expect(page.getByRole('main').getByText('¢50.00').first()).toBeVisible()
})

test('a declined recharge looks like what it is, and adds nothing', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  const approved = await shop.requestRecharge(customer, 80)
  await shop.decideRecharge(approved, 'approve')
  const declined = await shop.requestRecharge(customer, 70)
  await keepSession(page, customer)
  await page.goto('/user/finance')
  const entry = entryOf(page, 'Wallet history', declined.rechargeId)
  await expect(entry).toContainText('pending')
  const success = await colourOf(entryOf(page, 'Wallet history', approved.rechargeId).getByText('approved'))

  await shop.decideRecharge(declined, 'decline')
  await expect(entry.getByText('rejected')).toBeVisible()
  expect(await colourOf(entry.getByText('rejected'))).not.toBe(success)
  await expect(shownBalance(page)).toContainText('¢80.00')
})

test('the wallet history has pages and a search', { tag: '@desktop' }, async ({ page, shop }) => {
  const customer = await shop.makeUser()
  const made = await requestRecharges(shop, customer, 6)
  await keepSession(page, customer)
  await page.goto('/user/finance')
  const history = page.getByRole('region', { name: 'Wallet history' })
  for (const name of ['Date', 'Reference', 'Amount', 'Status']) await expect(history.getByRole('columnheader', { name })).toBeVisible()
  await expect(entriesOf(page, 'Wallet history')).toHaveCount(6)
  await expect(entriesOf(page, 'Wallet history').first()).toContainText(made.at(-1) ?? 'none')
  await history.getByLabel('Entries per page').selectOption('5')
  await expect(history.getByText('Showing 5 of 6 entries')).toBeVisible()
  await history.getByRole('button', { name: 'Page 2' }).click()
  await expect(entriesOf(page, 'Wallet history')).toHaveCount(1)
  await history.getByRole('searchbox').fill(made[2] ?? 'none')
  await expect(entriesOf(page, 'Wallet history')).toHaveCount(1)
  await expect(entriesOf(page, 'Wallet history')).toContainText('¢52.00')
})

function colourOf(badge: ReturnType<typeof entryOf>): Promise<string> {
  return badge.evaluate((element) => getComputedStyle(element).color)
}
