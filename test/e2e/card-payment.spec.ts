import type { FrameLocator, Locator, Page } from '@playwright/test'
import type { Shop } from './open-shop.ts'
import {
  answer,
  DESKTOP,
  entriesOf,
  entryOf,
  expect,
  fillBuyPage,
  firstTile,
  follow,
  keepSession,
  logIn,
  logOut,
  openAccountMenu,
  openReceipt,
  openStore,
  placedSheet,
  putIntoCart,
  seeTransactions,
  shownBalance,
  stopClock,
  test,
  toastOf,
} from './shop.ts'

test('a bundle is paid by card: price, charge and total first, then the pop-up, then the order', async ({ page, shop, browserOf }) => {
  const customer = await shop.makeUser({ balance: 3 })
  await page.clock.install({ time: '2026-01-05T10:00:00Z' })
  await keepSession(page, customer)
  await openStore(page)
  const popup = await payBundleByCard(page)
  await expect(popup.getByRole('heading', { name: 'Pay' })).toContainText('5.67')
  await expect(popup.getByText(customer.email)).toBeVisible()
  // What comes of it is shown for two seconds, and the toasts for three, which stand still here.
  await stopClock(page, '2026-01-05T10:10:00Z')
  await popup.getByRole('button', { name: /^Pay .*5\.67 by card$/ }).click()
  await expect(page.getByRole('dialog', { name: 'Order placed' })).toContainText(
    /Price¢5\.50Card surcharge \(3%\)¢0\.17Total paid¢5\.67Payment reference\w{16,24}Order reference\w{16,24}/,
  )
  await expect(placedSheet(page)).toContainText('Your order is placed successfully')
  await page.clock.runFor(3_000)
  await expect(placedSheet(page)).toBeVisible()
  await page.clock.resume()
  await seeTransactions(page)
  await expect(entryOf(page, 'My Transactions', '1GB')).toContainText('¢5.50')
  await expect(entryOf(page, 'My Transactions', '1GB')).toContainText('¢5.67 paid by card')
  await expect(shownBalance(page)).toContainText('¢3.00')

  const [order] = await shop.ordersOf(customer)
  expect(order).toMatchObject({ paidWith: 'card', totalAmount: 5.5, status: 'pending' })
  const payment = (await shop.cardPayments()).find(({ email }) => email === customer.email)
  expect(payment).toMatchObject({ status: 'success', amountPesewas: 567, reference: order?.paymentReference })

  const references = `Payment reference${payment?.reference}Order reference${order?.reference}`
  const entry = entryOf(page, 'My Transactions', payment?.reference ?? 'none')
  const receipt = await openReceipt(page, entry)
  await receipt.getByRole('switch', { name: 'Price on the picture' }).check()
  await expect(receipt).toContainText('GHS 5.67')
  await expect(receipt).toContainText(references)
  await expect(receipt).toContainText('Price¢5.50Card surcharge (3%)¢0.17Total paid¢5.67')

  // The admin sees the same, and what a rejection gives back.
  const admin = await browserOf(shop.admin)
  await admin.setViewportSize(DESKTOP.viewport)
  await admin.goto(`/admin/orders?search=${payment?.reference}`)
  const row = entryOf(admin, 'Orders', order?.reference ?? 'none')
  await expect(row).toContainText(`${payment?.reference.slice(0, 6)}order ${order?.reference.slice(0, 6)}`)
  await expect(row).toContainText('¢5.67 by card')
  await row.getByRole('button', { name: /^Reject/ }).click()
  const question = admin.getByRole('alertdialog', { name: 'Reject order' })
  await expect(question).toContainText(references)
  await expect(question).toContainText('Total paid¢5.67')
  await expect(question).toContainText('We refund ¢5.67')
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(receipt).toContainText('We refunded ¢5.67 to your wallet.')
  await expect.poll(() => shop.balanceOf(customer)).toBe(8.67)
})

test('a payment that is declined or cancelled buys nothing, and the same pop-up can be tried again', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  const popup = await payBundleByCard(page)
  await popup.getByRole('button', { name: 'Decline' }).click()
  await expect(popup.getByRole('alert')).toContainText('declined')
  await popup.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Payment cancelled')).toBeVisible()
  expect(await shop.ordersOf(customer)).toEqual([])

  // After cancelling, the selection is as it was.
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  await expect(dialog.getByLabel('Receiver phone number')).toHaveValue('055 123 4567')
  const calledOff = dialog.getByText('Card payment declined: ¢5.67')
  await expect(calledOff).toBeVisible()
  await expectAbove(dialog.getByRole('button', { name: 'Pay without wallet (card)' }), calledOff)
  await dialog.getByRole('button', { name: 'Pay without wallet (card)' }).click()
  await answer(page, /proceed to checkout/, /^Pay ¢5\.67 by MoMo or card$/)
  const again = cardPopup(page)
  await again.getByRole('button', { name: 'Decline' }).click()
  await expect(again.getByRole('alert')).toContainText('You can try again')
  await again.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await expect(placedSheet(page)).toContainText('Your order is placed successfully')
  expect(await shop.ordersOf(customer)).toHaveLength(1)
  // It was the first payment, opened again: there is no second one that somebody could approve as well.
  expect((await shop.cardPayments()).filter(({ email }) => email === customer.email)).toHaveLength(1)
})

test('a cart is paid by card', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await putIntoCart(page, { network: 'AirtelTigo', phoneNumber: '0261234567' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' }).click()
  await expect(page.getByRole('button', { name: /^Checkout without wallet/ })).toContainText('3% added: ¢10.82')

  await page.getByRole('button', { name: 'Checkout without wallet (card)' }).click()
  await expectCharge(page, { price: '¢10.50', charge: '¢0.32', total: '¢10.82' })
  await answer(page, /proceed to checkout/, 'Cancel')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByTitle('Card payment')).toHaveCount(0)

  await page.getByRole('button', { name: 'Checkout without wallet (card)' }).click()
  await answer(page, /proceed to checkout/, /^Pay ¢10\.82 by MoMo or card$/)
  await cardPopup(page)
    .getByRole('button', { name: /^Pay .*10\.82 by card$/ })
    .click()
  await expect(placedSheet(page)).toContainText('Orders placed successfully')
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await expect(page).toHaveURL('/user/history')
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(2)
})

test('who pays and closes the pop-up at once gets the order all the same', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  const popup = await payBundleByCard(page)
  await popup.getByRole('button', { name: 'Pay, but the window closes at once' }).click()
  await expect(placedSheet(page)).toContainText('Your order is placed successfully')
  await seeTransactions(page)
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1)
  expect(await shop.ordersOf(customer)).toHaveLength(1)
})

test('a payment that is approved later waits in sight, is not made twice by mistake, and takes its lines out of the cart', async ({
  page,
  shop,
  browserOf,
  context,
  troubles,
}) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 20 })
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { phoneNumber: '0241234567' })
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Cart' }).click()
  await page.getByRole('button', { name: 'Checkout without wallet (card)' }).click()
  await answer(page, /proceed to checkout/, /^Pay ¢5\.67 by MoMo or card$/)
  const popup = cardPopup(page)
  await popup.getByLabel('Paid after').selectOption('600')
  await popup.getByRole('button', { name: 'Close now, pay later' }).click()
  await expect(toastOf(page, /waiting for your approval/)).toBeVisible()
  await expect(page.getByText('Payment cancelled')).toHaveCount(0)
  const waiting = waitingBox(page)
  await expect(waiting).toContainText('¢5.67')
  await expect(waiting).toContainText('MTN 1GB to 024 123 4567')

  // The same bundle once more and another one: only what is paid for leaves the cart.
  await nav.getByRole('link', { name: 'Store' }).click()
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await putIntoCart(page, { network: 'AirtelTigo', phoneNumber: '0261234567' })
  await page.goto('/cart')
  await expect(waiting).toBeVisible()

  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await answer(page, 'Are you sure you want to proceed to checkout now?')
  await answer(page, /^A payment of ¢5\.67 for these lines is still waiting for your approval\./, 'No, wait')
  await page.getByRole('button', { name: 'Checkout without wallet (card)' }).click()
  await answer(page, /proceed to checkout/, /^Pay .* by MoMo or card$/)
  const again = page.getByRole('alertdialog', { name: 'Pay again?' })
  // A second press of the button that led here must not pay a second time.
  await expect(again.getByRole('button').filter({ hasText: /\w/ })).toHaveText(['No, wait', 'Pay again'])
  await answer(page, /^A payment of ¢5\.67 for these lines is still waiting for your approval\./, 'No, wait')
  await expect(page.getByRole('button', { name: 'Checkout without wallet (card)' })).toBeEnabled()
  expect(await shop.ordersOf(customer)).toEqual([])
  expect((await shop.cardPayments()).filter(({ email }) => email === customer.email)).toHaveLength(1)

  const otherPhone = await browserOf(customer)
  await otherPhone.goto('/user/history')
  await expect(waitingBox(otherPhone)).toContainText('MTN 1GB to 024 123 4567')

  // Offline and back: the known payments stay on the screen and are checked once online.
  troubles.expect(/^failed (?:GET|POST) \/api\/payment\//)
  await context.setOffline(true)
  await waiting.getByRole('button', { name: 'Check now' }).click()
  await expect(waiting).toContainText('We can’t reach the shop right now.')
  await approve(shop, customer)
  await context.setOffline(false)

  await expect(page.getByText('Your order is placed.')).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await expect(page.getByText('Payment received: ¢5.67')).toBeVisible()
  await expect(page.getByText('Subtotal (2 items)')).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'AirtelTigo' })).toBeVisible()
  await expect(otherPhone.getByText('Payment received: ¢5.67')).toBeVisible()
  await expect(entriesOf(otherPhone, 'My Transactions')).toHaveCount(1)
  await expect(page).toHaveURL('/cart')
  await otherPhone.getByRole('region', { name: 'Card payments' }).getByRole('button', { name: 'Dismiss' }).click()
  await expect(otherPhone.getByText('Payment received: ¢5.67')).toHaveCount(0)

  // No payment is waiting any more; what it bought is on its way, though, and stands in the cart once more.
  troubles.expect(/^409 POST \/api\/order\/checkout$/)
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  // The next purchase has begun.
  await expect(page.getByText('Payment received: ¢5.67')).toHaveCount(0)
  await answer(page, 'Are you sure you want to proceed to checkout now?')
  const onItsWay = page.getByRole('alertdialog').filter({ hasText: 'MTN 1GB for 024 123 4567, is still on its way' })
  await expect(onItsWay).toBeVisible()
  // Loaded again over the question: nobody has said yes, so nothing is being bought.
  await page.reload()
  await expect(page.getByText('Subtotal (2 items)')).toBeVisible()
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await answer(page, 'Are you sure you want to proceed to checkout now?')
  await answer(page, /MTN 1GB for 024 123 4567, is still on its way/, 'Buy again')
  await expect(placedSheet(page)).toContainText('Purchase made successfully')
  expect(await shop.ordersOf(customer)).toHaveLength(3)
})

test('a payment that nobody approves is closed after one last look, and the screen says so; who signs in next sees none of it', {
  tag: '@long',
}, async ({ page, shop }) => {
  test.slow()
  const customer = await shop.makeUser()
  const next = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  const popup = await payBundleByCard(page)
  await popup.getByRole('button', { name: 'Close now, pay later' }).click()
  await shop.call('POST', `/sandbox/card/payments/${await referenceOf(shop, customer)}/status`, { body: { status: 'ongoing' } })
  await expect(waitingBox(page)).toContainText('MTN 1GB to 055 123 4567')

  await follow(page, '/user/history')
  await expect(waitingBox(page)).toBeVisible()
  await logOut(page)
  await expect(page).toHaveURL('/login')
  await logIn(page, next)
  await expect(page).toHaveURL('/store')
  await follow(page, '/user/history')
  await expect(page.getByText("You haven't placed any order yet")).toBeVisible()
  await expect(page.getByText('¢5.67')).toHaveCount(0)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(await referenceOf(shop, customer))
  await logOut(page)
  await expect(page).toHaveURL('/login')
  await logIn(page, customer)
  await expect(page).toHaveURL('/store')
  await follow(page, '/user/history')
  await expect(waitingBox(page)).toBeVisible()

  await makeOlder(shop, await referenceOf(shop, customer))
  // The provider is asked about a payment once in three seconds, and the page asked when it opened: press until it tells more.
  const closed = page.getByText('Payment closed: ¢5.67')
  const checkNow = waitingBox(page).getByRole('button', { name: 'Check now' })
  await expect(async () => {
    if (await checkNow.isVisible()) await checkNow.click({ timeout: 2_000 })
    await expect(closed).toBeVisible({ timeout: 4_000 })
  }).toPass({ timeout: 60_000 })
  await expect(page.getByText(/^We checked one last time\. This payment was not approved within 30 minutes/)).toBeVisible()
  await expect(waitingBox(page)).toHaveCount(0)
  await expect(page.getByText("You haven't placed any order yet")).toBeVisible()

  // Approved even later, after all: it buys what it was for, and the screen takes back what it said.
  await approve(shop, customer)
  await expect(page.getByText('Payment received: ¢5.67')).toBeVisible()
  await expect(page.getByText('Payment closed: ¢5.67')).toHaveCount(0)
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1)
})

test('a page that is loaded again while the pop-up is open finds out what came of it', { tag: '@desktop' }, async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  await payBundleByCard(page)
  const payment = (await shop.cardPayments()).find(({ email }) => email === customer.email)
  await shop.call('POST', `/sandbox/card/payments/${payment?.reference}/pay`, { body: {} })
  await page.reload()
  await expect(toastOf(page, 'Your order is placed successfully')).toBeVisible()
  expect(await shop.ordersOf(customer)).toHaveLength(1)
})

test('a customer becomes an agent for a fee and buys at agent prices from then on', { tag: '@long' }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 10 })
  await keepSession(page, customer)
  await openStore(page)
  await expect(firstTile(page, 'MTN')).toContainText('¢5.50')
  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Become Agent' }).click()
  const offer = page.getByRole('dialog', { name: 'Become Agent' })
  await expect(offer.getByText('Upgrade fee, paid once')).toBeVisible()
  await expect(offer.getByRole('row', { name: /MTN 1GB/ })).toContainText('¢4.70')
  await offer.getByRole('button', { name: 'Pay ¢50.00 by MoMo or card' }).click()

  const popup = cardPopup(page)
  await expect(popup.getByRole('heading', { name: 'Pay' })).toContainText('50.00')
  await popup.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Payment cancelled')).toBeVisible()
  await expect(firstTile(page, 'MTN')).toContainText('¢5.50')

  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Become Agent' }).click()
  await offer.getByRole('button', { name: 'Pay ¢50.00 by MoMo or card' }).click()
  await popup.getByRole('button', { name: /^Pay .*50\.00 by card$/ }).click()
  await expect(toastOf(page, 'Payment made successfully, please wait...')).toBeVisible()
  await expect(toastOf(page, `User ${customer.username} updated is now an Agent`)).toBeVisible()
  await expect(firstTile(page, 'MTN')).toContainText('¢4.70')
  await openAccountMenu(page)
  await expect(page.getByRole('banner').getByText('Agent', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Become Agent' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  const dialog = await fillBuyPage(page)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, 'Are you sure you want to proceed to checkout now?')
  await expect(shownBalance(page)).toContainText('¢5.30')
})

test('a card provider that is away is told in words, and nothing is bought', { tag: '@desktop' }, async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  await shop.call('POST', '/sandbox/card/faults', { body: { call: 'initialize', kind: 'error' } })
  troubles.expect(/^50\d POST \/api\/payment$/)
  const dialog = await fillBuyPage(page)
  await dialog.getByRole('button', { name: 'Pay without wallet (card)' }).click()
  await answer(page, /proceed to checkout/, /^Pay ¢5\.67 by MoMo or card$/)
  // Once, below the button that was pressed and has not moved.
  await expect(page.getByRole('alert')).toHaveText(/Card payment is not available/)
  await expect(dialog.getByRole('button', { name: 'Pay without wallet (card)' })).toBeEnabled()
  expect(await shop.ordersOf(customer)).toEqual([])
})

/** MTN 1GB, 5.50 and 0.17 for the card, up to the open pop-up. */
/** What can be pressed stays in sight, and what is only told stands below it. */
async function expectAbove(button: Locator, told: Locator) {
  await expect(button).toBeInViewport({ ratio: 1 })
  const [upper, lower] = [await button.boundingBox(), await told.boundingBox()]
  expect((upper?.y ?? 0) + (upper?.height ?? 0)).toBeLessThanOrEqual(lower?.y ?? 0)
}

async function payBundleByCard(page: Page): Promise<FrameLocator> {
  const dialog = await fillBuyPage(page)
  await expect(dialog.getByRole('button', { name: 'Pay without wallet (card) or MoMo ¢5.67' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Pay without wallet (card)' }).click()
  await expectCharge(page, { price: '¢5.50', charge: '¢0.17', total: '¢5.67' })
  await answer(page, /proceed to checkout/, /^Pay ¢5\.67 by MoMo or card$/)
  const popup = cardPopup(page)
  await expect(popup.getByRole('heading', { name: 'Pay' })).toBeVisible()
  return popup
}

async function expectCharge(page: Page, { price, charge, total }: { price: string; charge: string; total: string }) {
  const question = page.getByRole('alertdialog', { name: 'Pay without wallet (card)' })
  await expect(question.getByText(price, { exact: true })).toBeVisible()
  await expect(question.getByText('Card surcharge (3%)')).toBeVisible()
  await expect(question.getByText(charge, { exact: true })).toBeVisible()
  await expect(question.getByText(total, { exact: true })).toBeVisible()
}

function waitingBox(page: Page): Locator {
  return page.getByRole('region', { name: 'Card payments' }).getByRole('status').filter({ hasText: 'Waiting for your approval' })
}

async function referenceOf(shop: Shop, { email }: { email: string }): Promise<string> {
  return (await shop.cardPayments()).find((payment) => payment.email === email)?.reference ?? 'none'
}

async function approve(shop: Shop, customer: { email: string }) {
  await shop.call('POST', `/sandbox/card/payments/${await referenceOf(shop, customer)}/pay`, { body: {} })
}

/** As if a payment had been begun half an hour earlier, and nobody waits for it any more. */
async function makeOlder(shop: Shop, reference: string) {
  await shop.sql(`update payments set created_at = created_at - interval '31 minutes' where reference = $1`, [reference])
}

function cardPopup(page: Page): FrameLocator {
  return page.getByTitle('Card payment').contentFrame()
}
