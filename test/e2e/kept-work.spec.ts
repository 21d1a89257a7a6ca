import type { Page, Route } from '@playwright/test'
import type { Account } from './open-shop.ts'
import { PASSWORD } from './open-shop.ts'
import {
  alertOf,
  answer,
  chooseOffer,
  entryOf,
  expect,
  fillBuyPage,
  firstTile,
  keepSession,
  logIn,
  logOut,
  openStore,
  placedSheet,
  putIntoCart,
  shownBalance,
  test,
} from './shop.ts'

test('a session that ends by itself takes nothing that was typed, and shows it to nobody else on the phone', { tag: '@long' }, async ({
  page,
  shop,
  troubles,
}) => {
  const [customer, other] = [await shop.makeUser({ balance: 20 }), await shop.makeUser({ balance: 20 })]
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await firstTile(page, 'Telecel').click()
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  await chooseOffer(dialog, '5GB')
  await dialog.getByLabel('Receiver phone number').pressSequentially('020123')

  troubles.allow(/^401 (GET|POST) \/api\//)
  await shop.call('POST', '/user/logout', { as: customer })
  await page.reload()
  const ended = page.locator('#account-notices').getByRole('status')
  await expect(page).toHaveURL(/\/login/)
  await expect(ended).toContainText('You have been logged out')
  expect(await page.evaluate(() => ['userInfo', 'orderHistory', 'CurrUser'].filter((key) => localStorage.getItem(key)))).toEqual([])
  await expect(ended.getByRole('link', { name: /WhatsApp/ })).toHaveAttribute('href', /^https:\/\/wa\.me\/233/)
  await page.reload()
  await expect(ended).toBeVisible()

  await test.step('somebody else sees nothing of it', async () => {
    await enter(page, other)
    await expect(ended).toHaveCount(0)
    await expect(page).toHaveURL('/store')
    await page.getByRole('button', { name: 'I understand' }).click()
    await expect(page.getByRole('link', { name: 'Cart' }).locator('visible=true')).not.toContainText('1')
    await firstTile(page, 'Telecel').click()
    await expect(dialog.getByLabel('Receiver phone number')).toHaveValue('')
    await expect(dialog.getByText('020 123')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await logOut(page)
    await expect(page).toHaveURL('/login')
  })

  await enter(page, customer)
  await expect(page).toHaveURL(/\/store\?buy=/)
  await expect(dialog.getByLabel('Receiver phone number')).toHaveValue('020 123')
  await expect(dialog.getByRole('radio', { name: /^5GB/ })).toBeChecked()
  await dialog.getByLabel('Receiver phone number').fill('0201234567')
  await expect(dialog.getByRole('button', { name: 'Add to cart' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Cart' }).locator('visible=true').click()
  await expect(page.getByText('Subtotal (1 item)')).toBeVisible()
  await expect(page.getByRole('main').getByText('024 123 4567')).toBeVisible()

  await test.step('signing out by oneself leaves nothing', async () => {
    await logOut(page)
    await expect(page).toHaveURL('/login')
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => !['theme', 'lastStore', 'shopFigures'].includes(key))),
    ).toEqual([])
  })
})

test('a session that turns out to be over at the last press is said to be over, and the same BUY PAGE is back after it', async ({
  page,
  shop,
  troubles,
}) => {
  const customer = await shop.makeUser({ balance: 20 })
  await keepSession(page, customer)
  // The page and the dialog look for open payments when they open; only the look after Yes is to find no session.
  const firstLook = page.waitForResponse('**/api/payment/mine*')
  await openStore(page)
  const dialog = await fillBuyPage(page)
  await firstLook
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  troubles.allow(/^401 (GET|POST) \/api\//)
  const asNobody = (route: Route) => route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer nobody' } })
  await page.route('**/api/payment/mine*', asNobody)
  await answer(page, 'Are you sure you want to proceed to checkout now?')
  await expect(page.locator('#account-notices')).toContainText('You have been logged out')
  await expect(page.getByLabel('Phone number')).toBeVisible()
  await expect(alertOf(page, 'Insufficient balance')).toHaveCount(0)
  await page.unroute('**/api/payment/mine*', asNobody)
  await logIn(page, customer)
  await expect(dialog.getByLabel('Receiver phone number')).toHaveValue('055 123 4567')
  expect(await shop.ordersOf(customer)).toEqual([])
})

test('the buy form outlives a reload, Back and the jump to the top-up', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 1 }))
  await openStore(page)
  await firstTile(page, 'MTN').click()
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  const receiver = dialog.getByLabel('Receiver phone number')
  const isFilled = async () => {
    await expect(receiver).toHaveValue('024 123 4567')
    await expect(dialog.getByRole('button', { name: 'Add to cart' })).toBeEnabled()
  }
  await chooseOffer(dialog, '2GB')
  await receiver.fill('0241234567')

  await page.reload()
  await isFilled()
  // Back closes the form, and what was typed waits.
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await firstTile(page, 'MTN').click()
  await isFilled()
  await dialog.getByRole('button', { name: 'Topup your wallet here' }).click()
  await expect(page).toHaveURL('/user/finance')
  await page.goBack()
  await isFilled()
  await dialog.getByRole('button', { name: 'Add to cart' }).click()
  await firstTile(page, 'MTN').click()
  await expect(receiver).toHaveValue('')
})

test('a reload of what was bought shows that order, and no form that buys it again', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 20 })
  await keepSession(page, customer)
  await openStore(page)
  const dialog = await fillBuyPage(page, { phoneNumber: '0241234567' })
  const pay = async () => {
    await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
    await answer(page, 'Are you sure you want to proceed to checkout now?')
    await expect(placedSheet(page)).toBeVisible()
  }
  await pay()
  await placedSheet(page).getByRole('button', { name: 'Another number' }).click()
  await dialog.getByLabel('Receiver phone number').fill('0551234567')
  await pay()
  const [newest] = await shop.ordersOf(customer)
  await page.reload()
  await expect(page).toHaveURL(`/order/${newest?.number}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('On its way')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL('/store')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('signing out without a connection is made up for, also after a reload, and said meanwhile', async ({
  page,
  context,
  shop,
  troubles,
}) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  await expect(shownBalance(page)).toBeVisible()
  troubles.expect(/POST \/api\/user\/logout|ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  // As on a line that loses this one request, so that the page itself can be loaded again.
  await context.route('**/api/user/logout', (route) => route.abort('internetdisconnected'))
  await logOut(page)
  await expect(page).toHaveURL('/login')
  // On a page that was loaded while signed in, and not loaded again since.
  for (const name of ['Store', 'Login', 'Register'])
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).locator('visible=true')).toBeVisible()
  const unsent = page.locator('#account-notices').getByText('the shop doesn’t know yet')
  await expect(unsent).toBeVisible()
  expect((await shop.send('GET', '/api/user', { as: customer })).status).toBe(200)

  await page.goto('/store')
  await expect(unsent).toBeVisible()
  await context.unroute('**/api/user/logout')
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(unsent).toHaveCount(0)
  expect((await shop.send('GET', '/api/user', { as: customer })).status).toBe(401)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(customer.token)
})

test('a screen that could not be loaded without a connection is there once the connection is back', { tag: '@long' }, async ({
  page,
  context,
  shop,
  troubles,
}) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  await expect(shownBalance(page)).toBeVisible()
  troubles.expect(/^failed (GET|POST) /)
  troubles.expect(/^console: .*(Failed to fetch|imported module)/)
  await context.route('**/api/user/logout', (route) => route.abort('internetdisconnected'))
  await context.setOffline(true)
  await logOut(page)
  await expect(page.getByRole('heading', { name: 'We couldn’t show this screen' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByLabel('Phone number')).toBeVisible()
})

test('an admin who looks at something else finds the credit form and the note to a customer as they left them', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 30 })
  await keepSession(page, shop.admin)
  await page.goto('/admin/finance')
  const username = page.getByRole('combobox', { name: 'Username' })
  const update = page.getByRole('button', { name: 'Update Wallet' })
  await username.fill(customer.username)
  await page.getByLabel('Amount', { exact: true }).fill('-7.50')
  await page.getByLabel('Note (optional)').fill('Paid twice by mistake')
  await expect(update).toBeEnabled()
  await page.goto(`/admin/customers/${customer._id}`)
  await page.getByLabel('Note for your team').fill('Calls on Fridays')

  await page.goto('/admin/finance')
  await expect(username).toHaveValue(customer.username)
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('-7.50')
  await expect(page.getByLabel('Note (optional)')).toHaveValue('Paid twice by mistake')
  await update.click()
  await answer(page, new RegExp(`update ${customer.username}'s wallet with ¢-7.50`))
  await expect(username).toHaveValue('')

  await page.goto(`/admin/customers/${customer._id}`)
  await expect(page.getByLabel('Note for your team')).toHaveValue('Calls on Fridays')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Calls on Fridays')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Calls on Fridays')).toBeVisible()
  await expect(page.getByLabel('Note for your team')).toHaveValue('')
  // Sent, so neither is kept.
  await page.goto('/admin/finance')
  await expect(username).toHaveValue('')
})

test('money that the shop takes and a ban are explained where the customer is, until dismissed', { tag: '@long' }, async ({
  page,
  shop,
  troubles,
}) => {
  const customer = await shop.makeUser({ balance: 30 })
  await keepSession(page, customer)
  await page.goto('/user/finance')
  await expect(shownBalance(page)).toContainText('¢30.00')
  const notices = page.locator('#account-notices')
  await shop.call('PUT', '/user/balance', {
    as: shop.admin,
    body: { chosenId: customer._id, amount: -10.5, note: 'Paid twice by mistake' },
  })
  await expect(shownBalance(page)).toContainText('¢19.50')
  await expect(notices).toContainText(/took money from your wallet.*¢10\.50.*Paid twice by mistake/)
  await expect(notices.getByRole('link', { name: /WhatsApp/ })).toHaveAttribute('href', /^https:\/\/wa\.me\/233\d{9}\?text=Hello/)
  await page.goto('/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  await expect(notices).toContainText('¢10.50')
  await notices.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notices).toBeEmpty()
  await page.goto('/user/finance')
  await expect(shownBalance(page)).toContainText('¢19.50')
  await expect(notices).toBeEmpty()

  // The second one can only be heard of by a channel that is open; whoever is away at the ban is told at the next login.
  for (const shown of ['¢20.50', '¢21.50']) {
    await shop.call('PUT', '/user/balance', { as: shop.admin, body: { chosenId: customer._id, amount: 1 } })
    await expect(shownBalance(page)).toContainText(shown)
  }
  troubles.expect(/^40[13] (GET|POST) \/api\//)
  await shop.call('PUT', `/user/${customer._id}/status`, { as: shop.admin, body: { status: 'Banned' } })
  await expect(notices).toContainText('This account has been banned')
  await expect(page).toHaveURL('/login')
  // No toast on top of it, which would cover what it says.
  await expect(alertOf(page, /banned/i)).toHaveCount(0)
  expect(await page.evaluate(() => ['userInfo', 'orderHistory', 'CurrUser'].filter((key) => localStorage.getItem(key)))).toEqual([])
  await page.reload()
  await expect(notices.getByRole('link', { name: /WhatsApp/ })).toBeVisible()
  await notices.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notices).toBeEmpty()
  await logIn(page, customer)
  await expect(page.getByRole('main').getByRole('alert')).toContainText(/banned/i)
  await expect(page.getByRole('main').getByRole('link', { name: 'Write to us on WhatsApp' })).toBeVisible()
})

test('how to pay for a recharge is there again after a reload, and from the history until it is decided', { tag: '@long' }, async ({
  page,
  shop,
}) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await page.goto('/user/finance')
  await page.getByLabel('Recharge amount').pressSequentially('75.5')
  await page.reload()
  await expect(page.getByLabel('Recharge amount')).toHaveValue('75.5')
  await page.getByRole('button', { name: 'Request' }).click()
  const notice = page.getByRole('dialog', { name: 'PAYMENT NOTICE' })
  await expect(notice).toBeVisible()
  const [recharge] = await shop.call<{ _id: string; rechargeId: string }[]>('GET', '/recharge', { as: customer })
  await page.reload()
  await expect(notice).toContainText(recharge?.rechargeId ?? 'none')
  await notice.getByRole('button', { name: 'I have noted it' }).click()

  await page.reload()
  const entry = entryOf(page, 'Wallet history', recharge?.rechargeId ?? 'none')
  await expect(entry).toContainText('pending')
  await expect(notice).toBeHidden()
  await entry.getByRole('button', { name: 'How to pay' }).click()
  const { momoPhoneNumber, momoAccountName } = await shop.notice()
  for (const text of [momoPhoneNumber.replace(/(...)(...)(....)/, '$1 $2 $3'), momoAccountName, recharge?.rechargeId, '¢75.50', '*170#'])
    await expect(notice).toContainText(text ?? 'none')
  await shop.call('PUT', `/recharge/${recharge?._id}/approve`, { as: shop.admin, body: {} })
  await expect(notice).toContainText('This payment was approved')
  await notice.getByRole('button', { name: 'I have noted it' }).click()
  await expect(entry).toContainText('approved')
  await expect(entry.getByRole('button', { name: 'How to pay' })).toHaveCount(0)
})

async function enter(page: Page, { phone }: Account) {
  await page.getByLabel('Phone number').fill(phone)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
}

test('a dialog asks before it closes over words that nobody has saved', { tag: '@desktop' }, async ({ page, shop }) => {
  const question = 'Leave without saving your changes?'
  await keepSession(page, shop.admin)
  await page.goto('/admin/finance/phones')
  const open = page.getByRole('button', { name: 'Add a phone' })
  const dialog = page.getByRole('dialog', { name: 'Add a phone' })
  await open.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)

  await open.click()
  await dialog.getByLabel('What do you call it?').fill('The till')
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    () => page.evaluate(() => history.back()),
  ]) {
    await leave()
    await answer(page, question, 'No')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(dialog.getByLabel('What do you call it?')).toHaveValue('The till')
  }
  await dialog.getByRole('button', { name: 'Close' }).click()
  await answer(page, question)
  await expect(dialog).toHaveCount(0)
})
