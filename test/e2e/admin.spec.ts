import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { MAX_IMAGE_BYTES } from '../../shared/images.ts'
import type { Order } from '../../shared/orders.ts'
import type { PaymentReply } from '../../shared/payments.ts'
import { spacedPhone } from '../../shared/phones.ts'
import { imageBytes } from '../../shared/products.ts'
import type { Stats } from '../../shared/stats.ts'
import {
  alertOf,
  answer,
  entriesOf,
  entryOf,
  expect,
  firstTile,
  follow,
  keepSession,
  openStore,
  shownBalance,
  test,
  toastOf,
} from './shop.ts'

test('a customer at an admin address is sent away, and nothing of the admins is fetched', { tag: '@desktop' }, async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser())
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
  for (const path of ['/admin/orders', '/info']) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(visited).toContain('/login')
  for (const path of ['/admin', '/admin/finance', '/admin/products', '/admin/activity']) {
    await follow(page, path)
    await expect.poll(() => visited.slice(-2)).toEqual(['/login', '/'])
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    visited.length = 0
  }
  expect(asked.filter((path) => /^\/api\/(order|user\/account-balances|recharge|export|admin)/.test(path))).toEqual([])
  expect(asked.filter((path) => /admin-page|info-page/.test(path))).toEqual([])
})

test('the statistics count what happens, as it happens', { tag: '@desktop' }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 100 })
  await shop.buy(customer, [{ offer: '10GB' }])
  await keepSession(page, shop.admin)
  await page.goto('/admin/stats')
  const before = await shop.call<Stats>('GET', '/order/stats', { as: shop.admin })
  const orders = page.getByRole('table', { name: 'Orders' })
  const cells = (name: string | RegExp) => orders.getByRole('row', { name }).getByRole('cell')
  const now = new Date()
  const day = now.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  const month = now.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' })

  await expect(cells(/^Total orders/)).toHaveText([String(before.orders.total.count), cedis(before.orders.total.value)])
  await expect(orders.getByRole('row', { name: `Placed today (${day})` })).toBeVisible()
  await expect(orders.getByRole('row', { name: `Placed this month (${month})` })).toBeVisible()
  for (const name of [/^Completed orders/, /^Rejected orders/, /^Placed this week/, /^Placed last month \(\w+\)/]) {
    await expect(orders.getByRole('row', { name })).toBeVisible()
  }
  const finance = page.getByRole('table', { name: 'Finance' })
  await expect(finance.getByRole('row', { name: 'Total payments received' })).toContainText(cedis(before.finance!.totalPayments))
  await expect(finance.getByRole('row', { name: 'Total funds in wallets' })).toContainText(cedis(before.finance!.totalFunds))

  const [bought] = await shop.buy(customer, [{ offer: '1GB' }])
  await expect(cells(/^Total orders/)).toHaveText([String(before.orders.total.count + 1), cedis(before.orders.total.value + 5.5)])
  if (bought) await shop.decide(bought, 'completed')
  await expect(cells(/^Completed orders/).first()).toHaveText(String(before.orders.completed.count + 1))
  await expect(finance.getByRole('row', { name: 'Total funds in wallets' })).toContainText(cedis(before.finance!.totalFunds - 5.5))
})

test('an admin finds a user and changes their level and status', async ({ page, browserOf, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 20 })
  const theirs = await browserOf(customer)
  await openStore(theirs)
  await keepSession(page, shop.admin)
  await page.goto('/admin/stats')
  const users = page.getByRole('region', { name: 'Users' })
  await users.getByRole('searchbox', { name: 'Search users' }).fill(customer.phone)
  await expect(users.getByText('Showing 1 of 1 entries')).toBeVisible()
  const user = entryOf(page, 'Users', customer.email)
  await expect(user).toContainText('¢20.00')

  const level = user.getByLabel(`Level of ${customer.username}`)
  await level.selectOption('Agent')
  const levelQuestion = `Are you sure you want to change ${customer.username}'s level from Customer to Agent?`
  await answer(page, levelQuestion, 'No')
  await expect(level).toHaveValue('Customer')
  await level.selectOption('Agent')
  await answer(page, levelQuestion)
  await expect(toastOf(page, 'User level updated successfully')).toBeVisible()
  await expect(level).toHaveValue('Agent')
  await expect(firstTile(theirs, 'MTN')).toContainText('¢4.70')

  // The other browser may be reading something afresh at that moment.
  troubles.allow(/^40[13] GET \/api\//)
  const status = user.getByLabel(`Status of ${customer.username}`)
  await status.selectOption('Banned')
  await answer(page, `Are you sure you want to change ${customer.username}'s status from Active to Banned?`)
  await expect(toastOf(page, 'User status updated successfully')).toBeVisible()
  await expect(status).toHaveValue('Banned')
  await expect(theirs).toHaveURL('/login')

  await users.getByRole('searchbox', { name: 'Search users' }).fill(shop.admin.phone)
  await expect(users.getByLabel(`Status of ${shop.admin.username}`)).toBeDisabled()
})

test('a search that finds many says that there are more, and pages on to the last of them', { tag: '@desktop' }, async ({ page, shop }) => {
  await shop.sql(
    `with added as (
       insert into users (username, username_skeleton, email, phone, password_hash, created_at)
       select name, name, name || '@example.com', '03' || lpad(n::text, 8, '0'), 'none', now() from (select n, 'plentiful ' || n as name from generate_series(1, 45) n) made
       returning id, seq
     ), opened as (
       insert into accounts (id, code) select 2000000 + seq, 'wallet:' || id from added returning id, code
     )
     insert into wallets (account_id, user_id) select id, right(code, 36)::uuid from opened`,
  )
  await keepSession(page, shop.admin)
  await page.goto('/admin/stats')
  const users = page.getByRole('region', { name: 'Users' })
  await users.getByRole('searchbox', { name: 'Search users' }).fill('plentiful')
  await expect(users.getByText('Showing 10 of more than 20 entries (1 to 10)')).toBeVisible()
  const pages = users.getByRole('navigation', { name: 'Pages of Users' })
  for (const [number, shown] of [
    ['2', 'Showing 10 of more than 30 entries (11 to 20)'],
    ['3', 'Showing 10 of more than 40 entries (21 to 30)'],
    ['4', 'Showing 10 of 45 entries (31 to 40)'],
    ['5', 'Showing 5 of 45 entries (41 to 45)'],
  ] as const) {
    await pages.getByText(number, { exact: true }).click()
    await expect(users.getByText(shown)).toBeVisible()
  }
  await expect(pages.getByRole('button').last()).toBeDisabled()
  await expect(entryOf(page, 'Users', 'plentiful 1@example.com')).toBeVisible()
})

test('orders are filtered, searched, and decided many at once', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 200 })
  const orders = await shop.buy(customer, [{ offer: '1GB' }, { offer: '2GB' }, { offer: '3GB' }, { network: 'Telecel', offer: '5GB' }])
  await keepSession(page, shop.admin)
  await page.goto('/admin/orders')
  const list = page.getByRole('region', { name: 'Orders', exact: true })
  await list.getByRole('searchbox', { name: 'Search orders' }).fill(customer.username)
  await expect(entriesOf(page, 'Orders')).toHaveCount(4)
  const networks = page.getByRole('group', { name: 'Network' })
  await networks.getByRole('button', { name: /^Telecel/ }).click()
  await expect(entriesOf(page, 'Orders')).toHaveCount(1)
  await networks.getByRole('button', { name: 'All networks' }).click()
  const parts = page.getByRole('group', { name: 'Part of the orders' })
  await parts.getByRole('button', { name: /^Completed/ }).click()
  await expect(entriesOf(page, 'Orders')).toHaveCount(0)
  await parts.getByRole('button', { name: /^To decide/ }).click()
  await expect(entriesOf(page, 'Orders')).toHaveCount(4)

  await page.getByRole('button', { name: 'Select', exact: true }).click()
  for (const order of orders.slice(0, 2)) await page.getByLabel(`Select order ${order.id}`, { exact: true }).check()
  const bar = page.getByRole('region', { name: 'Selected orders' })
  await expect(bar.getByText('2 selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Process 2' }).click()
  await answer(page, 'Are you sure you want to process 2 orders worth ¢16.00?')
  await expect(toastOf(page, '2 orders completed')).toBeVisible()
  await expect(bar).toBeHidden()

  await page.getByLabel('Select all 2').check()
  await bar.getByRole('button', { name: 'Reject 2' }).click()
  await answer(page, 'Are you sure you want to reject 2 orders worth ¢40.00?')
  await expect(alertOf(page, '2 orders rejected')).toBeVisible()
  const statuses = (await shop.ordersOf(customer)).map(({ status }) => status).sort()
  expect(statuses).toEqual(['completed', 'completed', 'rejected', 'rejected'])
  expect(await shop.balanceOf(customer)).toBe(184)
})

test('an order that somebody else has decided is not decided again', { tag: '@desktop' }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 20 })
  const [order] = await shop.buy(customer, [{}])
  if (!order) throw new Error('no order came of buying')
  await keepSession(page, shop.admin)
  await page.goto('/admin/orders')
  const entry = entryOf(page, 'Orders', customer.username)
  await entry.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await shop.decide(order, 'completed')
  await expect(page.getByRole('alertdialog')).toContainText('This has changed since you were asked')
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Yes' })).toHaveCount(0)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click()
  await expect(entry.getByRole('button', { name: 'Completed' })).toBeDisabled()
  expect(await shop.balanceOf(customer)).toBe(14.5)
})

test('orders are decided by the keyboard alone', { tag: ['@desktop', '@long'] }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 50 })
  await shop.buy(customer, [{ offer: '1GB' }])
  await shop.buy(customer, [{ offer: '2GB' }])
  await keepSession(page, shop.admin)
  await page.goto('/admin/orders')
  await expect(entriesOf(page, 'Orders').first()).toContainText('2GB')

  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).toBeFocused()
  await page.keyboard.type(customer.username)
  await expect(entriesOf(page, 'Orders')).toHaveCount(2)
  await page.keyboard.press('Tab')
  await page.keyboard.press('j')
  await expect(entryOf(page, 'Orders', '2GB')).toBeFocused()
  await page.keyboard.press('j')
  await expect(entryOf(page, 'Orders', '1GB')).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.getByRole('alertdialog').getByText(/^Are you sure you want to process order /)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(entryOf(page, 'Orders', '1GB')).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('r')
  await answer(page, /^Are you sure you want to reject order /)
  await expect(entryOf(page, 'Orders', '2GB')).toContainText('Rejected')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys for orders' })).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(44.5)
})

test('recharges are approved and declined, and the asker sees it', async ({ page, browserOf, shop }) => {
  const customer = await shop.makeUser()
  const wanted = await shop.requestRecharge(customer, 120)
  const unpaid = await shop.requestRecharge(customer, 75)
  const theirs = await browserOf(customer)
  await theirs.goto('/user/finance')
  await expect(entriesOf(theirs, 'Wallet history')).toHaveCount(2)
  await keepSession(page, shop.admin)
  await page.goto('/admin/finance')

  const first = entryOf(page, 'Wallet Recharge History', wanted.rechargeId)
  await first.getByRole('button', { name: 'Approve' }).click()
  await answer(page, `Are you sure you want to approve the recharge of ¢120.00 for ${customer.username}?`)
  await expect(toastOf(page, 'Recharge request approved')).toBeVisible()
  await expect(first.getByRole('button', { name: 'Approved' })).toBeDisabled()
  await expect(shownBalance(theirs)).toContainText('¢120.00')
  await expect(entryOf(theirs, 'Wallet history', wanted.rechargeId)).toContainText('approved')

  const second = entryOf(page, 'Wallet Recharge History', unpaid.rechargeId)
  await second.getByRole('button', { name: 'Decline' }).click()
  await answer(page, `Are you sure you want to decline the recharge of ¢75.00 for ${customer.username}?`)
  await expect(alertOf(page, 'Recharge request declined')).toBeVisible()
  await expect(second.getByRole('button', { name: 'Declined' })).toBeDisabled()
  await expect(entryOf(theirs, 'Wallet history', unpaid.rechargeId)).toContainText('rejected')

  const asked = await shop.requestRecharge(customer, 60)
  await expect(entryOf(page, 'Wallet Recharge History', asked.rechargeId)).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(120)
})

test('a wallet is debited, never below zero, and nobody is credited by a half-typed name', { tag: ['@desktop', '@long'] }, async ({
  page,
  shop,
}) => {
  const customer = await shop.makeUser({ balance: 30 })
  await keepSession(page, shop.admin)
  await page.goto('/admin/finance')
  const username = page.getByRole('combobox', { name: 'Username' })
  const amount = page.getByLabel('Amount', { exact: true })
  const update = page.getByRole('button', { name: 'Update Wallet' })

  await amount.fill('10')
  await username.fill(customer.username.slice(0, -1))
  await expect(page.getByRole('listbox', { name: 'Users' }).getByRole('option').first()).toBeVisible()
  await expect(update).toBeDisabled()
  await username.fill('nobody of that name')
  await expect(page.getByText('No user matches “nobody of that name”.')).toBeVisible()
  await expect(update).toBeDisabled()

  // Typed in full, a username is chosen, with the phone number in view.
  await username.fill(customer.username)
  await expect(update).toBeEnabled()
  const option = page.getByRole('listbox', { name: 'Users' }).getByRole('option').filter({ hasText: customer.email })
  await expect(option).toContainText(spacedPhone(customer.phone))
  await expect(option).toContainText('Customer')
  await expect(option).toContainText('¢30.00')
  await username.fill(`+233${customer.phone.slice(1)}`)
  await expect(update).toBeDisabled()
  await expect(page.getByRole('listbox', { name: 'Users' }).getByRole('option')).toHaveCount(1)
  await option.click()
  await expect(update).toBeEnabled()
  await amount.fill('-30.01')
  await expect(amount).toHaveAccessibleDescription(/has only ¢30\.00\./)
  await expect(update).toBeDisabled()
  await amount.fill('-12.50')
  await page.getByLabel('Note (optional)').fill('paid back in cash')
  await update.click()
  await expect(page.getByRole('alertdialog')).toContainText(spacedPhone(customer.phone))
  await answer(page, `Are you sure you want to update ${customer.username}'s wallet with ¢-12.50?`)
  await expect(toastOf(page, `${customer.username}'s wallet updated successfully. New balance: ¢17.50`)).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(17.5)

  await page.getByRole('navigation', { name: 'Admin Portal' }).getByRole('link', { name: 'More' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Activity' }).click()
  const deed = entryOf(page, 'Activity', 'paid back in cash')
  await expect(deed).toContainText('Debited wallet')
  await expect(deed).toContainText(shop.admin.username)
  await expect(deed).toContainText('¢17.50')
})

test('a product is added, changed, taken out of stock and deleted, and the store follows', async ({ page, browserOf, shop }) => {
  test.slow()
  const theirs = await browserOf(await shop.makeUser())
  await openStore(theirs)
  const catalogue = theirs.getByRole('main').getByRole('region', { name: /^AFA/ })
  await expect(catalogue).toHaveCount(1)
  await keepSession(page, shop.admin)
  await page.goto('/admin/products')

  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save Changes' })
  await page.getByRole('button', { name: 'Add New Product' }).click()
  await expect(page.getByRole('dialog', { name: 'Add New Product' })).toBeVisible()
  await expect(save).toBeDisabled()
  expect(await dialog.getByLabel('Network').getByRole('option').allTextContents()).toEqual([
    'Choose a network',
    'MTN',
    'AirtelTigo',
    'Telecel',
    'Airtime',
    'AFA',
    'WAEC Checkers',
    'MTN PULSE',
  ])
  await dialog.getByLabel('Network').selectOption('AFA')

  await test.step('the picture', async () => {
    const tooLarge = 'Image size exceeds 100KB. Please upload a smaller image.'
    await dialog.getByLabel('Image').setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(MAX_IMAGE_BYTES + 1) })
    await expect(alertOf(page, tooLarge)).toBeVisible()
    await expect(dialog.getByLabel('Image')).toHaveAccessibleDescription(new RegExp(tooLarge))
    const large = await noisyPicture()
    expect(large.length).toBeGreaterThan(4 * MAX_IMAGE_BYTES)
    await dialog.getByLabel('Image').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: large })
    const shown = dialog.getByAltText('The product, as the store will show it')
    await expect(shown).toHaveAttribute('src', /^data:image\/(webp|jpeg);base64,/)
    expect(imageBytes((await shown.getAttribute('src')) ?? '')).toBeLessThanOrEqual(MAX_IMAGE_BYTES)
    await expect(save).toBeDisabled()
  })

  await test.step('the packages', async () => {
    await dialog.getByRole('button', { name: 'Add package' }).click()
    await fillPackage(dialog, 1, 'AFA premium', '1.2.3', '20')
    await save.click()
    await expect(alertOf(page, 'Price must be a number')).toBeVisible()
    await expect(dialog.getByLabel('Customer price of offer 1')).toHaveAccessibleDescription(/Price must be a number/)
    await fillPackage(dialog, 1, 'AFA premium', '25', '20')
    await save.click()
    await expect(toastOf(page, 'Product created successfully')).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(catalogue).toHaveCount(2)
  })

  const products = await shop.call<{ productId: string; packages: { offer: string }[] }[]>('GET', '/product')
  const productId = products.find(({ packages }) => packages[0]?.offer === 'AFA premium')?.productId ?? 'none'
  const product = entriesOf(page, 'Products')
    .filter({ has: page.getByText('AFA', { exact: true }) })
    .filter({ hasText: productId })

  await test.step('an update', async () => {
    await product.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByRole('dialog', { name: 'Update Product' })).toBeVisible()
    await expect(save).toBeEnabled()
    await dialog.getByRole('button', { name: 'Add package' }).click()
    await fillPackage(dialog, 2, 'AFA express', '18', '19')
    await dialog.getByRole('button', { name: 'Paste many' }).click()
    const pasted = dialog.getByLabel('Paste many lines')
    await pasted.fill('AFA gold 40.00 35.50\nAFA silver forty')
    await save.click()
    await expect(dialog.getByRole('alert').filter({ hasText: 'Line 2, “AFA silver forty”' })).toBeVisible()
    await pasted.fill('AFA gold 40.00 35.50')
    await save.click()
    const question = 'Are these prices right? Save them anyway?'
    await expect(page.getByRole('alertdialog')).toContainText('AFA express')
    await answer(page, question, 'No')
    await fillPackage(dialog, 2, 'AFA express', '19', '18')
    await save.click()
    await expect(toastOf(page, 'Product updated successfully')).toBeVisible()
    await expect(product).toContainText('3 packages')
    await expect(catalogue.filter({ hasText: '¢19.00' })).toHaveCount(1)
  })

  await test.step('out of stock', async () => {
    await product.getByLabel('Status of AFA').selectOption('out of stock')
    await expect(toastOf(page, 'Product status updated successfully')).toBeVisible()
    const outOfStock = catalogue.filter({ hasText: '(Out of stock)' })
    await expect(outOfStock).toHaveCount(1)
    for (const ticket of await outOfStock.getByRole('button').all()) await expect(ticket).toBeDisabled()
  })

  await test.step('deletion', async () => {
    await product.getByRole('button', { name: 'Delete' }).click()
    await answer(page, 'Are you sure you want to delete this product?', 'No')
    await expect(product).toHaveCount(1)
    await product.getByRole('button', { name: 'Delete' }).click()
    await answer(page, 'Are you sure you want to delete this product?')
    await expect(toastOf(page, 'Product deleted successfully')).toBeVisible()
    await expect(product).toHaveCount(0)
    await expect(catalogue).toHaveCount(1)
  })
})

test('the notice and the payment details are changed, previewed, and read by customers', async ({ page, browserOf, shop }) => {
  const before = await shop.notice()
  const theirs = await browserOf(await shop.makeUser())
  await openStore(theirs)
  await keepSession(page, shop.admin)
  await page.goto('/info')
  const text = page.getByLabel('Notice text')
  await expect(text).toHaveValue(before.noticeContent)
  try {
    await text.fill('Closed on Friday.\nOrders go out on <b>Saturday</b>.')
    await page.getByRole('button', { name: 'Preview notice' }).click()
    const preview = page.getByRole('dialog', { name: 'PLEASE NOTE' })
    await expect(preview).toContainText('Orders go out on <b>Saturday</b>.')
    await preview.getByRole('button', { name: 'I understand' }).click()
    await page.getByRole('button', { name: 'Save notice' }).click()
    await expect(toastOf(page, 'Notice message updated successfully')).toBeVisible()
    await expect(theirs.getByRole('dialog', { name: 'PLEASE NOTE' })).toContainText('Closed on Friday.')

    await page.getByLabel('Mobile-money phone number').fill('024555')
    await page.getByRole('button', { name: 'Save payment details' }).click()
    await expect(page.getByLabel('Mobile-money phone number')).toHaveAccessibleDescription(/exactly 10 digits/)
    await page.getByLabel('Mobile-money phone number').fill('0245556666')
    await page.getByLabel('Account name').fill('Dwadi Enterprise Ltd')
    await page.getByRole('button', { name: 'Save payment details' }).click()
    const change = page.getByRole('alertdialog', { name: 'Change the mobile-money number' })
    await expect(change).toContainText(`Now${spacedPhone(before.momoPhoneNumber)}${before.momoAccountName}`)
    await expect(change).toContainText('New024 555 6666Dwadi Enterprise Ltd')
    await change.getByRole('button', { name: 'No' }).click()
    expect((await shop.notice()).momoPhoneNumber).toBe(before.momoPhoneNumber)
    await page.getByRole('button', { name: 'Save payment details' }).click()
    await change.getByRole('button', { name: 'Yes, change it' }).click()
    await expect(toastOf(page, 'Notice message updated successfully')).toBeVisible()
    // The words are those of the notice's own saving, which may stand there still.
    await expect.poll(() => shop.notice()).toMatchObject({ momoPhoneNumber: '0245556666', momoAccountName: 'Dwadi Enterprise Ltd' })
  } finally {
    const { noticeContent, momoPhoneNumber, momoAccountName } = before
    await shop.call('PUT', '/extra/notice', { as: shop.admin, body: { noticeContent } })
    await shop.call('PUT', '/extra/momo-details', { as: shop.admin, body: { momoPhoneNumber, momoAccountName } })
  }
})

test('an order whose card payment is disputed stands on hold, and is decided by itself with a reason alone', { tag: '@desktop' }, async ({
  page,
  shop,
}) => {
  const customer = await shop.makeUser({ balance: 50 })
  const [product, free] = await Promise.all([shop.findProduct('MTN'), shop.buy(customer, [{}])])
  const offer = product.packages[0]
  const items = [{ productId: product._id, offer: offer?.offer, phoneNumber: '0551234567', amount: offer?.priceCustomer }]
  const payment = await shop.call<PaymentReply>('POST', '/payment', { as: customer, body: { purpose: 'order', items } })
  const atProvider = (deed: string, body = {}) => shop.call('POST', `/sandbox/card/payments/${payment.reference}/${deed}`, { body })
  await atProvider('pay')
  await expect.poll(async () => (await shop.ordersOf(customer)).length).toBe(2)
  await atProvider('dispute', { step: 'create' })
  const [order] = (await shop.ordersOf(customer)).filter(({ paymentReference }) => paymentReference === payment.reference)
  if (!order) throw new Error('the payment made no order')

  const search = encodeURIComponent(customer.username)
  await expect
    .poll(async () =>
      (await shop.call<Order[]>('GET', `/order/allorders?search=${search}`, { as: shop.admin })).map(({ onHold }) => onHold),
    )
    .toContain('the payer disputes the card payment')

  await keepSession(page, shop.admin)
  await page.goto(`/admin/orders?search=${search}`)
  const entry = entryOf(page, 'Orders', order.id)
  await expect(entry).toContainText('On hold')
  await expect(entry).toContainText('the payer disputes the card payment')
  await expect(page.getByRole('navigation', { name: 'Admin Portal' }).getByRole('link', { name: /^Finance \d+ to decide/ })).toBeVisible()

  await page.getByLabel('Select all pending orders on this page', { exact: true }).check()
  const bar = page.getByRole('region', { name: 'Selected orders' })
  await bar.getByRole('button', { name: 'Copy list' }).click()
  await expect(toastOf(page, 'Copied 1 line of MTN: number and volume. 1 order left out: on hold')).toBeVisible()
  await bar.getByRole('button', { name: 'Process 2' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure you want to process 1 order')
  await expect(question).toContainText('1 order left out')
  await expect(question.getByRole('checkbox')).toHaveCount(0)
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(toastOf(page, '1 order completed')).toBeVisible()
  await expect(entryOf(page, 'Orders', free[0]?.id ?? 'none')).toContainText('Completed')

  await entry.getByRole('button', { name: 'Reject' }).click()
  await expect(question).toContainText('less what has already gone back to the payer')
  await expect(question.getByRole('button', { name: 'Yes' })).toBeDisabled()
  await question.getByRole('button', { name: 'No' }).click()
  await entry.getByRole('button', { name: 'Process' }).click()
  await expect(question).toContainText('you lose both')
  await question.getByLabel('Reason').fill('It arrived before the dispute')
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(entry).toContainText('Completed')
  await follow(page, '/admin/activity')
  await expect(entryOf(page, 'Activity', 'It arrived before the dispute')).toContainText('On hold the payer disputes the card payment')
})

test('from 1024 pixels on every list of an admin is a table that names its columns, has what can be done in view, and is saved as CSV', {
  tag: ['@desktop', '@long'],
}, async ({ page, shop }) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 50 })
  const [order] = await shop.buy(customer, [{}])
  const recharge = await shop.requestRecharge(customer, 55)
  await keepSession(page, shop.admin)
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto('/admin/stats')
  for (const { screen, caption, columns, csvHolds } of [
    {
      screen: 'stats',
      caption: 'Users',
      columns: ['#', 'Username', 'Phone Number', 'Email', 'Level', 'Total Purchase', 'Wallet Balance', 'Status'],
      csvHolds: ['Total payments received', customer.email],
    },
    {
      screen: 'finance',
      caption: 'Wallet Recharge History',
      columns: ['Date', 'Reference', 'Username', 'Amount', 'Status', 'Actions'],
      csvHolds: ['Reference', recharge.rechargeId],
    },
    {
      screen: 'products',
      caption: 'Products',
      columns: ['ID', 'Network', 'Image', 'Packages', 'Status', 'Action'],
      csvHolds: ['WAEC Checkers'],
    },
    { screen: 'activity', caption: 'Activity' },
    {
      screen: 'orders',
      caption: 'Orders',
      columns: [
        ...['ID', 'Agent', 'Network', 'Receiver', 'Offer', 'Reference'],
        ...['Payment Date', 'Amount', 'Status', 'Action', 'Action Timestamp'],
      ],
      csvHolds: ['Action Timestamp', order?.reference ?? 'none'],
    },
  ]) {
    await follow(page, `/admin/${screen}`)
    await expect(page.getByRole('table', { name: caption, exact: true }), screen).toBeVisible()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, `${screen} does not scroll sideways`).toBeLessThanOrEqual(1024)
    if (columns) {
      const headers = page.getByRole('region', { name: caption, exact: true }).getByRole('columnheader')
      await expect(headers.first()).toBeVisible()
      const names = (await headers.allInnerTexts()).map((text) => text.trim().toLowerCase())
      // The orders have a further column, to select many of them at once.
      const expected = columns.map((column) => column.toLowerCase())
      expect(
        names.filter((name) => expected.includes(name)),
        screen,
      ).toEqual(expected)
    }
    if (csvHolds) {
      const csv = await saveCsv(page, `dwadi-admin-${screen.split('/')[0]}.csv`)
      for (const text of csvHolds) expect(csv, screen).toContain(text)
    }
  }
  const heading = page.getByRole('columnheader', { name: 'Action Timestamp' }).locator('span')
  expect(await heading.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  await expect(page.getByRole('table').getByRole('button', { name: 'Process' }).first()).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('table').getByRole('button', { name: 'Reject' }).first()).toBeInViewport({ ratio: 1 })

  // What the list is narrowed to is what is saved.
  await page.getByRole('group', { name: 'Part of the orders' }).getByRole('button', { name: /^All/ }).click()
  await page.getByRole('group', { name: 'Network' }).getByRole('button', { name: 'WAEC Checkers' }).click()
  await expect(page).toHaveURL(/network=WAEC/)
  expect(await saveCsv(page, 'dwadi-admin-orders.csv')).not.toContain(order?.reference)
})

/** A photograph's worth of detail, which no lossless file makes small. */
function noisyPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  return sharp({ create: { width: 640, height: 480, channels: 3, background: '#ffcc00', noise } })
    .png()
    .toBuffer()
}

async function saveCsv(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
  expect(download.suggestedFilename()).toBe(name)
  return readFile(await download.path(), 'utf8')
}

async function fillPackage(dialog: Locator, number: number, offer: string, customer: string, agent: string) {
  await dialog.getByLabel(`Offer ${number}`, { exact: true }).fill(offer)
  await dialog.getByLabel(`Customer price of offer ${number}`).fill(customer)
  await dialog.getByLabel(`Agent price of offer ${number}`).fill(agent)
}

function cedis(value: number): string {
  return `¢${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}
