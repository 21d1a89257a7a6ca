import { check, checkAtBothSizes } from './check-accessibility.ts'
import {
  answer,
  entriesOf,
  expect,
  fillBuyPage,
  firstTile,
  follow,
  keepSession,
  logOut,
  openAccountMenu,
  openReceipt,
  openStore,
  putIntoCart,
  test,
} from './shop.ts'

test('what a visitor sees is usable by everybody', async ({ page }) => {
  test.slow()
  await page.goto('/')
  for (const [path, heading] of [
    ['/', /affordable data bundles/i],
    ['/store', 'Store'],
    ['/login', 'Login'],
    ['/register', 'Register'],
    ['/reset-password/a-token', 'Reset Password'],
    ['/design', 'Design'],
    ['/no-such-page', 'Page not found'],
  ] as const) {
    await follow(page, path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await checkAtBothSizes(page, path)
  }
  await follow(page, '/register')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
  await check(page, 'the registration with all that is wrong')
  await follow(page, '/login')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('button', { name: 'Send Reset Email' })).toBeVisible()
  await check(page, 'the forgotten password')
  await follow(page, '/store')
  await firstTile(page, 'MTN').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await check(page, 'the invitation to sign in')
})

test('what a customer sees is usable by everybody', async ({ page, shop }) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 200 })
  const [completed, rejected] = await shop.buy(customer, [
    {},
    { network: 'Telecel', offer: '5GB' },
    { network: 'AFA', offer: 'AFA registration' },
  ])
  if (completed) await shop.decide(completed, 'completed')
  if (rejected) await shop.decide(rejected, 'rejected')
  await shop.decideRecharge(await shop.requestRecharge(customer, 50), 'decline')
  await shop.decideRecharge(await shop.requestRecharge(customer, 60), 'approve')
  await shop.setStock('WAEC Checkers', 'out of stock')
  await keepSession(page, customer)

  await page.goto('/store')
  await expect(page.getByRole('dialog', { name: 'PLEASE NOTE' })).toBeVisible()
  await check(page, 'the notice')
  await openStore(page)
  await expect(firstTile(page, 'WAEC Checkers')).toBeDisabled()
  await checkAtBothSizes(page, 'the store')
  await shop.setStock('WAEC Checkers', 'available')

  const dialog = await fillBuyPage(page, { phoneNumber: '0201234567' })
  await expect(dialog.getByText(/is usually/)).toBeVisible()
  await checkAtBothSizes(page, 'the buy page')
  await dialog.getByRole('button', { name: 'Pay without wallet (card)' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'the question before a card payment')
  await answer(page, /proceed to checkout/, 'Cancel')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await putIntoCart(page, {})
  await follow(page, '/cart')
  await expect(page.getByText('Subtotal (1 item)')).toBeVisible()
  await checkAtBothSizes(page, 'the cart')
  await follow(page, '/user/history')
  await expect(page.getByText('Showing 3 of 3 entries')).toBeVisible()
  await checkAtBothSizes(page, 'the transactions')
  const receipt = await openReceipt(page, entriesOf(page, 'My Transactions').first())
  await expect(receipt.getByText('Send on WhatsApp')).toBeVisible()
  await checkAtBothSizes(page, 'a receipt')

  await follow(page, '/user/finance')
  await expect(page.getByText('Showing 2 of 2 entries')).toBeVisible()
  await page.getByLabel('Recharge amount').fill('20')
  await checkAtBothSizes(page, 'the wallet')
  await page.getByLabel('Recharge amount').fill('50')
  await page.getByRole('button', { name: 'Request' }).click()
  await expect(page.getByRole('dialog', { name: 'PAYMENT NOTICE' })).toContainText('Reference code')
  await check(page, 'the payment notice')
  await page.getByRole('button', { name: 'I have noted it' }).click()

  await openAccountMenu(page)
  await check(page, 'the account menu')
  await page.getByRole('button', { name: 'Become Agent' }).click()
  await expect(page.getByRole('dialog', { name: 'Become Agent' })).toBeVisible()
  await check(page, 'becoming an agent')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await logOut(page)
  await expect(page).toHaveURL('/login')
})

test('what an admin sees is usable by everybody', async ({ page, shop }) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 200 })
  const [completed, rejected, pending] = await shop.buy(customer, [{}, { offer: '2GB' }, { offer: '3GB' }])
  if (completed) await shop.decide(completed, 'completed')
  if (rejected) await shop.decide(rejected, 'rejected')
  const asked = await shop.requestRecharge(customer, 50)
  await shop.decideRecharge(await shop.requestRecharge(customer, 60), 'decline')
  await keepSession(page, shop.admin)

  await page.goto('/admin')
  await expect(page.getByRole('article').first()).toBeVisible()
  await checkAtBothSizes(page, 'the inbox')
  await follow(page, '/admin/more')
  await expect(page.getByRole('navigation', { name: 'Behind the counter' })).toBeVisible()
  await checkAtBothSizes(page, 'what stands under More')

  await follow(page, '/admin/stats')
  await expect(page.getByRole('table', { name: 'Orders' })).toBeVisible()
  await expect(page.getByLabel(`Level of ${customer.username}`)).toBeVisible()
  // Its tables of figures don't fit with text of twice the size.
  await checkAtBothSizes(page, 'the statistics', { largeText: false })

  await follow(page, '/admin/orders')
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByLabel(`Select order ${pending?.id}`, { exact: true }).check()
  await checkAtBothSizes(page, 'the orders')
  await page.getByRole('button', { name: 'Reject 1' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'the question before a rejection')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)

  await follow(page, '/admin/finance/match')
  await expect(page.getByRole('link', { name: /requests? wait/ })).toBeVisible()
  const message = `Payment received for GHS 50.00 from AMA SAMPLE. Reference: ${asked.rechargeId}. Transaction ID: 83724298138.`
  await page.getByRole('textbox', { name: 'Paste payment messages' }).fill(`${message}\n${message.replace(/8138/, '8139')}\nOTP 1`)
  await page.getByRole('button', { name: 'Read messages' }).click()
  await expect(page.getByRole('button', { name: /^Approve 1/ })).toBeVisible()
  await checkAtBothSizes(page, 'the payments to match')
  await follow(page, '/admin/finance')
  await expect(page.getByRole('button', { name: 'Approve' }).first()).toBeVisible()
  await check(page, 'the recharges')
  // Other tests count what is certain.
  await shop.decideRecharge(asked, 'decline')
  await follow(page, '/admin/finance')
  await page.getByRole('combobox', { name: 'Username' }).fill(customer.username.slice(0, -1))
  await expect(page.getByRole('listbox', { name: 'Users' })).toBeVisible()
  await checkAtBothSizes(page, 'the finances')

  await follow(page, '/admin/products')
  await expect(page.getByLabel('Status of Telecel')).toBeVisible()
  await checkAtBothSizes(page, 'the products')
  await page.getByRole('button', { name: 'Update' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Update Product' })).toBeVisible()
  await checkAtBothSizes(page, 'a product')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await follow(page, '/admin/activity')
  await expect(page.getByText(/^Showing/)).toBeVisible()
  await checkAtBothSizes(page, 'the activity')
  await follow(page, '/admin/work')
  await expect(page.getByRole('heading', { name: 'Hubnet' })).toBeVisible()
  await checkAtBothSizes(page, 'the work')
  await follow(page, '/admin/settings')
  await page.getByRole('switch', { name: 'Message when an order is done' }).check()
  await page.getByLabel('Daily message limit').fill('many')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Daily message limit')
  await check(page, 'the settings with what is wrong')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByLabel('Who delivers MTN', { exact: true }).selectOption('hubnet')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'the question before other settings')
  await answer(page, 'Are you sure you want to save these settings?', 'No')
  await page.getByRole('button', { name: 'Undo' }).click()
  await follow(page, '/info')
  await expect(page.getByLabel('Notice text')).toBeVisible()
  await checkAtBothSizes(page, 'the notice and the payment details')
})
