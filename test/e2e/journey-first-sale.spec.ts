import {
  alertOf,
  answer,
  entriesOf,
  entryOf,
  expect,
  fillBuyPage,
  firstTile,
  keepSession,
  offerTile,
  openStore,
  placedSheet,
  seeTransactions,
  shownBalance,
  test,
  toastOf,
} from './shop.ts'

test('a visitor registers and reads beside each field what is wrong with it', async ({ page, shop, troubles }) => {
  const taken = await shop.makeUser()
  const { username, phone, email } = shop.newPerson()
  await page.goto('/register')
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const register = page.getByRole('button', { name: 'Register' })

  await register.click()
  await expect(page.getByRole('alert').filter({ hasText: 'All fields are required' }).first()).toBeVisible()
  await expect(field('Username')).toHaveAccessibleDescription(/Enter a username/)
  await expect(field('Phone number')).toHaveAccessibleDescription(/exactly 10 digits/)
  await expect(field('Username')).toBeFocused()

  await field('Username').fill(`  ${username.toUpperCase()} `)
  await field('Phone number').pressSequentially('0a2-4 12x')
  await expect(field('Phone number')).toHaveValue('024 12')
  await field('Phone number').fill('02412345678999')
  await expect(field('Phone number')).toHaveValue('024 123 4567')
  await field('Email').fill('ama at example')
  await field('Password').fill('short')
  await field('Confirm password').fill('short')
  await register.click()
  await expect(field('Email')).toHaveAccessibleDescription(/Enter a valid e-mail address/)
  await expect(field('Password')).toHaveAccessibleDescription(/at least 8 characters/)

  await field('Email').fill(` ${email.toUpperCase()} `)
  await field('Password').fill('a good password')
  await field('Confirm password').fill('another password')
  await register.click()
  await expect(alertOf(page, 'Passwords do not match')).toBeVisible()
  await expect(field('Confirm password')).toHaveAccessibleDescription(/Passwords do not match/)

  troubles.expect(/^400 POST \/api\/user\/register$/)
  for (const name of ['Password', 'Confirm password']) await field(name).fill('Dwadi2026!')
  await field('Phone number').fill(phone)
  await register.click()
  await expect(field('Password')).toHaveAccessibleDescription(/too common: others would guess it/)

  troubles.expect(/^409 POST \/api\/user\/register$/)
  for (const name of ['Password', 'Confirm password']) await field(name).fill('a good password')
  await field('Phone number').fill(taken.phone)
  await register.click()
  await expect(alertOf(page, /already/)).toBeVisible()
  await expect(field('Phone number')).toHaveAccessibleDescription(/already/i)
  await expect(page).toHaveURL('/register')

  await field('Phone number').fill(phone)
  await register.click()
  await expect(page).toHaveURL('/store')
  const dialog = page.getByRole('dialog', { name: 'PLEASE NOTE' })
  await expect(dialog.getByText('Check the number before you pay.')).toBeVisible()
  await dialog.getByRole('button', { name: 'I understand' }).click()
  await expect(dialog).toBeHidden()
  for (const network of ['MTN', 'AirtelTigo', 'Telecel', 'Airtime', 'AFA', 'WAEC Checkers', 'MTN PULSE']) {
    await expect(firstTile(page, network)).toHaveCount(1)
    await expect(firstTile(page, network)).toBeEnabled()
  }
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('userInfo') ?? 'null'))
  expect(stored).toMatchObject({ username, email, phone, userLevel: 'Customer', isAdmin: false, balance: 0 })
})

test('the first sale: credited, bought, processed and refunded, each seen by the other side without a reload', async ({
  page,
  browserOf,
  shop,
}) => {
  test.slow()
  const customer = await shop.makeUser()
  const owner = await browserOf(shop.admin)
  await keepSession(page, customer)
  await openStore(page)
  await expect(shownBalance(page)).toContainText('¢0.00')

  await test.step('the admin credits the wallet', async () => {
    await owner.goto('/admin/finance')
    const form = owner.getByRole('main').locator('form').filter({ hasText: 'Update Wallet' })
    await expect(owner.getByRole('heading', { name: 'Credit/Debit User Account' })).toBeVisible()
    await expect(form.getByRole('button', { name: 'Update Wallet' })).toBeDisabled()
    await form.getByRole('combobox', { name: 'Username' }).fill(customer.username)
    await form.getByRole('option', { name: customer.username }).click()
    await expect(form.getByRole('button', { name: 'Update Wallet' })).toBeDisabled()
    await form.getByLabel('Amount').fill('20')
    await form.getByRole('button', { name: 'Update Wallet' }).click()
    await answer(owner, `Are you sure you want to update ${customer.username}'s wallet with ¢20.00?`)
    await expect(toastOf(owner, `${customer.username}'s wallet updated successfully. New balance: ¢20.00`)).toBeVisible()
    await expect(shownBalance(page)).toContainText('¢20.00')
  })

  await owner.goto('/admin/orders')
  const orderOf = (offer: string) => entryOf(owner, 'Orders', customer.username).filter({ hasText: offer })
  await expect(orderOf('2GB')).toHaveCount(0)

  await test.step('the customer buys from the wallet', async () => {
    await offerTile(page, 'MTN', '2GB').click()
    const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
    const purchases = ['Pay with wallet', 'Pay without wallet (card)', 'Add to cart'].map((name) => dialog.getByRole('button', { name }))
    await expect(dialog.getByText('Wallet balance')).toContainText('¢20.00')
    await expect(dialog.getByRole('button', { name: 'Topup your wallet here' })).toBeVisible()
    await expect(dialog.getByRole('radio', { name: /^2GB.*¢10\.50/ })).toBeChecked()
    await expect(dialog.getByLabel('Receiver phone number')).toBeFocused()
    for (const button of purchases) await expect(button).toBeDisabled()
    await dialog.getByLabel('Receiver phone number').fill('024123456')
    for (const button of purchases) await expect(button).toBeDisabled()
    await dialog.getByLabel('Receiver phone number').fill('0241234567')
    for (const button of purchases) await expect(button).toBeEnabled()

    await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
    await answer(page, 'Are you sure you want to proceed to checkout now?', 'No')
    await expect(shownBalance(page)).toContainText('¢20.00')
    expect(await shop.ordersOf(customer)).toEqual([])

    await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
    await answer(page, 'Are you sure you want to proceed to checkout now?')
    await expect(placedSheet(page)).toContainText('Purchase made successfully')
    await expect(placedSheet(page)).toContainText('Your order is placed successfully')
    await expect(page.getByRole('status').filter({ hasText: 'successfully' })).toHaveCount(0)
    await expect(shownBalance(page)).toContainText('¢9.50')
    await expect(placedSheet(page)).toContainText('024 123 4567')
    await seeTransactions(page)
  })

  const mine = entryOf(page, 'My Transactions', '2GB')
  await expect(mine).toContainText('¢10.50')
  await expect(mine).toContainText('pending')

  await test.step('the admin processes the order', async () => {
    const order = orderOf('2GB')
    await expect(order).toBeVisible()
    await expect(order).toContainText('Pending')
    const question = /^Are you sure you want to process order /
    await order.getByRole('button', { name: 'Process' }).click()
    await answer(owner, question, 'No')
    await expect(order).toContainText('Pending')
    await order.getByRole('button', { name: 'Process' }).click()
    await answer(owner, question)
    await expect(toastOf(owner, /Order .+ completed$/)).toBeVisible()
    await expect(order.getByRole('button', { name: 'Completed' })).toBeDisabled()
    await expect(order.getByRole('button', { name: 'Process' })).toHaveCount(0)
    await expect(mine).toContainText('completed')
  })

  await test.step('a rejected order brings the money back', async () => {
    await openStore(page)
    const dialog = await fillBuyPage(page, { offer: '1GB', phoneNumber: '0241234567' })
    await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
    await answer(page, 'Are you sure you want to proceed to checkout now?')
    await expect(shownBalance(page)).toContainText('¢4.00')
    await seeTransactions(page)

    const order = orderOf('1GB')
    await order.getByRole('button', { name: 'Reject' }).click()
    await answer(owner, /^Are you sure you want to reject order /)
    await expect(alertOf(owner, /Order .+ rejected$/)).toBeVisible()
    await expect(order.getByRole('button', { name: 'Rejected' })).toBeDisabled()
    await expect(entryOf(page, 'My Transactions', '1GB')).toContainText('rejected')
    await expect(shownBalance(page)).toContainText('¢9.50')
    await expect(entriesOf(page, 'My Transactions')).toHaveCount(2)
  })
})
