import {
  entriesOf,
  entryOf,
  expect,
  fillBuyPage,
  keepSession,
  openStore,
  placedSheet,
  requestRecharges,
  shownBalance,
  test,
  toastOf,
} from './shop.ts'

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

  // The request stands first on the page: what to dial, two numbers to copy, and a button that tells the shop.
  const pending = page.getByRole('region', { name: 'PAYMENT NOTICE' })
  await expect(pending).toContainText(/On MTN dial.*\*170#/)
  for (const what of ['mobile money number', 'reference code'])
    await expect(pending.getByRole('button', { name: `Copy ${what}` })).toBeVisible()
  await pending.getByRole('button', { name: 'I’ve paid' }).click()
  await expect(pending.getByRole('status')).toContainText('that you’ve paid')
  await expect(pending.getByRole('button', { name: 'We know' })).toBeDisabled()

  const entry = entryOf(page, 'Wallet history', recharge?.rechargeId ?? 'none')
  await expect(entry).toContainText('¢50.00')
  await expect(entry).toContainText('pending')
  await expect(entry).toContainText(/\d\d\/\d\d\/\d{4}/)
  await expect(shownBalance(page)).toContainText('¢0.00')

  const [open] = await shop.call<{ _id: string }[]>('GET', '/recharge', { as: customer })
  await shop.call('PUT', `/recharge/${open?._id}/approve`, { as: shop.admin, body: {} })
  // Where it waited stands what became of it, also after a reload, until it is dismissed.
  const arrived = page.getByRole('main').getByText('¢50.00 is in your wallet', { exact: true })
  await expect(arrived).toBeVisible()
  await expect(pending).toHaveCount(0)
  await page.reload()
  await expect(arrived).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click()
  await expect(arrived).toHaveCount(0)
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

  await shop.call('PUT', `/recharge/${declined._id}/decline`, { as: shop.admin, body: { reason: 'No payment of ¢70.00 has come' } })
  await expect(entry.getByText('rejected')).toBeVisible()
  await expect(entry).toContainText('Reason: No payment of ¢70.00 has come')
  expect(await colourOf(entry.getByText('rejected'))).not.toBe(success)
  await expect(shownBalance(page)).toContainText('¢80.00')
})

test('the wallet history has pages and a search', { tag: ['@desktop', '@long'] }, async ({ page, shop }) => {
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

test('a top-up by card is in the wallet at once: the amount, the provider’s fee, and nothing else is taken', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await page.goto('/user/finance')
  await page.getByRole('button', { name: '¢100', exact: true }).click()
  await expect(page.getByText('You get ¢100.00; the provider’s 3% is ¢3.00.')).toBeVisible()
  await page.getByRole('button', { name: 'Top up now ¢103.00' }).click()
  const popup = page.frameLocator('iframe[title="Card payment"]')
  await popup.getByRole('button', { name: /^Pay .*103\.00 by card$/ }).click()
  await expect(toastOf(page, '¢100.00 is in your wallet')).toBeVisible()
  await expect(toastOf(page, 'please wait')).toHaveCount(0)
  await expect(page.getByText('No requests for a recharge yet')).toBeVisible()
  await expect(page.getByText("You haven't recharged your wallet yet")).toHaveCount(0)
  await expect(shownBalance(page)).toContainText('¢100.00')
  await expect(entriesOf(page, 'Statement')).toHaveText([/Top-up.*\+¢100\.00.*the provider’s 3% is GHS 3\.00.*Balance ¢100\.00/s])
})

test('what the wallet lacks is topped up and the bundle bought in one step', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 2 })
  await keepSession(page, customer)
  await openStore(page)
  const buyPage = await fillBuyPage(page, { phoneNumber: '0241234567' })
  const topUpAndBuy = buyPage.getByRole('button', { name: 'Top up ¢3.50 and buy' })
  await expect(topUpAndBuy).toBeInViewport()
  await topUpAndBuy.click()
  const question = page.getByRole('dialog', { name: 'Top up and buy' }).or(page.getByRole('alertdialog', { name: 'Top up and buy' }))
  await expect(question).toContainText(
    /Into your wallet¢3\.50The provider’s 3%¢0\.11Total¢3\.61Then from your wallet¢5\.50Left in your wallet¢0\.00/,
  )
  await expect(question).toContainText('the ¢3.50 stays in your wallet')
  await question.getByRole('button', { name: 'Pay ¢3.61 by MoMo or card' }).click()
  const popup = page.frameLocator('iframe[title="Card payment"]')
  await popup.getByRole('button', { name: /^Pay .*3\.61 by card$/ }).click()
  await expect(placedSheet(page)).toContainText('Your order is placed successfully')
  await expect(shownBalance(page)).toContainText('¢0.00')
  expect(await shop.ordersOf(customer)).toMatchObject([{ paidWith: 'wallet', totalAmount: 5.5 }])
})

test('with too little money the loud button tops up, and My Wallet knows for what, and leads back', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 2 })
  await keepSession(page, customer)
  await openStore(page)
  const buyPage = await fillBuyPage(page, { phoneNumber: '0241234567' })
  await expect(buyPage.locator('button[type=submit]')).toHaveText(/^Top up ¢3\.50 and buy/)
  await buyPage.getByRole('button', { name: 'Pay with wallet' }).click()
  await expect(page).toHaveURL('/user/finance')
  const wanted = page.getByRole('status').filter({ hasText: 'You need ¢3.50 more for MTN 1GB to 024 123 4567.' })
  await expect(wanted).toContainText('It costs ¢5.50.')
  await expect(page.getByLabel('Recharge amount')).toHaveValue('50')

  // By a request that the shop approves the money comes later: then the way back is what stands out.
  await shop.decideRecharge(await shop.requestRecharge(customer, 50), 'approve')
  const enough = page.getByRole('status').filter({ hasText: 'Your wallet has enough for MTN 1GB to 024 123 4567.' })
  await enough.getByRole('link', { name: 'Back to the bundle' }).click()
  await expect(buyPage.getByLabel('Receiver phone number')).toHaveValue('024 123 4567')
  await expect(buyPage.locator('button[type=submit]')).toHaveText(/^Pay with wallet/)
})

test('a top-up at once leads back to the bundle that it was for', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 2 }))
  await openStore(page)
  const buyPage = await fillBuyPage(page, { phoneNumber: '0241234567' })
  await buyPage.getByRole('button', { name: 'Topup your wallet here' }).click()
  await page.getByRole('button', { name: 'Top up now ¢51.50' }).click()
  const popup = page.frameLocator('iframe[title="Card payment"]')
  await popup.getByRole('button', { name: /^Pay .*51\.50 by card$/ }).click()
  await expect(buyPage.getByLabel('Receiver phone number')).toHaveValue('024 123 4567')
  await expect(buyPage.locator('button[type=submit]')).toHaveText(/^Pay with wallet/)
  await page.goto('/user/finance')
  await expect(page.getByText('Back to the bundle')).toHaveCount(0)
})

function colourOf(badge: ReturnType<typeof entryOf>): Promise<string> {
  return badge.evaluate((element) => getComputedStyle(element).color)
}
