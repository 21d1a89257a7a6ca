import type { FrameLocator, Page } from '@playwright/test'
import {
  answer,
  entriesOf,
  entryOf,
  expect,
  fillBuyPage,
  keepSession,
  openAccountMenu,
  openStore,
  productCard,
  putIntoCart,
  shownBalance,
  test,
  toastOf,
} from './shop.ts'

test('a bundle is paid by card: price, charge and total first, then the pop-up, then the order', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 3 })
  await keepSession(page, customer)
  await openStore(page)
  const popup = await payBundleByCard(page)
  await expect(popup.getByRole('heading', { name: 'Pay' })).toContainText('5.67')
  await expect(popup.getByText(customer.email)).toBeVisible()
  await popup.getByRole('button', { name: /^Pay .*5\.67 by card$/ }).click()
  await expect(toastOf(page, 'Payment made successfully, please wait...')).toBeVisible()
  await expect(toastOf(page, 'Your order is placed successfully')).toBeVisible()
  await expect(page).toHaveURL('/user/history')
  await expect(entryOf(page, 'My Transactions', '1GB')).toContainText('¢5.50')
  await expect(shownBalance(page)).toContainText('¢3.00')

  const [order] = await shop.ordersOf(customer)
  expect(order).toMatchObject({ paidWith: 'card', totalAmount: 5.5, status: 'pending' })
  const payment = (await shop.cardPayments()).find(({ email }) => email === customer.email)
  expect(payment).toMatchObject({ status: 'success', amountPesewas: 567, reference: order?.paymentReference })
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

  // Whoever cancels finds what they had chosen as they left it.
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  await expect(dialog.getByLabel('Receiver phone number')).toHaveValue('055 123 4567')
  await dialog.getByRole('button', { name: 'Pay without wallet (card)' }).click()
  await answer(page, /proceed to checkout/, /^Pay ¢5\.67 by card$/)
  const again = cardPopup(page)
  await again.getByRole('button', { name: 'Decline' }).click()
  await expect(again.getByRole('alert')).toContainText('You can try again')
  await again.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await expect(toastOf(page, 'Your order is placed successfully')).toBeVisible()
  expect(await shop.ordersOf(customer)).toHaveLength(1)
})

test('a cart is paid by card', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await putIntoCart(page, { network: 'AirtelTigo', phoneNumber: '0261234567' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' }).click()
  await expect(page.getByText('By card a 3% charge is added: ¢10.82 in all.')).toBeVisible()

  await page.getByRole('button', { name: 'Checkout without wallet (card)' }).click()
  await expectCharge(page, { price: '¢10.50', charge: '¢0.32', total: '¢10.82' })
  await answer(page, /proceed to checkout/, 'Cancel')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByTitle('Card payment')).toHaveCount(0)

  await page.getByRole('button', { name: 'Checkout without wallet (card)' }).click()
  await answer(page, /proceed to checkout/, /^Pay ¢10\.82 by card$/)
  await cardPopup(page)
    .getByRole('button', { name: /^Pay .*10\.82 by card$/ })
    .click()
  await expect(toastOf(page, 'Orders placed successfully')).toBeVisible()
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
  await expect(toastOf(page, 'Your order is placed successfully')).toBeVisible()
  await expect(page).toHaveURL('/user/history')
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1)
  expect(await shop.ordersOf(customer)).toHaveLength(1)
})

test('who pays after having closed the pop-up gets the order once the provider says so', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  const popup = await payBundleByCard(page)
  await popup.getByLabel('Paid after').selectOption('2')
  await popup.getByRole('button', { name: 'Close now, pay later' }).click()
  await expect(page.getByText('Payment cancelled')).toBeVisible()
  await page.getByRole('dialog', { name: 'BUY PAGE' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' }).click()
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1, { timeout: 20_000 })
  await expect(entryOf(page, 'My Transactions', '1GB')).toContainText('pending')
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

test('a customer becomes an agent for a fee and buys at agent prices from then on', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 10 })
  await keepSession(page, customer)
  await openStore(page)
  await expect(productCard(page, 'MTN')).toContainText('from ¢5.50')
  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Become Agent' }).click()
  const offer = page.getByRole('dialog', { name: 'Become Agent' })
  await expect(offer.getByText('Upgrade fee, paid once')).toBeVisible()
  await expect(offer.getByRole('row', { name: /MTN 1GB/ })).toContainText('¢4.70')
  await offer.getByRole('button', { name: 'Pay ¢50.00 by card' }).click()

  const popup = cardPopup(page)
  await expect(popup.getByRole('heading', { name: 'Pay' })).toContainText('50.00')
  await popup.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Payment cancelled')).toBeVisible()
  await expect(productCard(page, 'MTN')).toContainText('from ¢5.50')

  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Become Agent' }).click()
  await offer.getByRole('button', { name: 'Pay ¢50.00 by card' }).click()
  await popup.getByRole('button', { name: /^Pay .*50\.00 by card$/ }).click()
  await expect(toastOf(page, 'Payment made successfully, please wait...')).toBeVisible()
  await expect(toastOf(page, `User ${customer.username} updated is now an Agent`)).toBeVisible()
  await expect(productCard(page, 'MTN')).toContainText('from ¢4.70')
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
  await answer(page, /proceed to checkout/, /^Pay ¢5\.67 by card$/)
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /Card payment is not available/ })
      .first(),
  ).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Pay without wallet (card)' })).toBeEnabled()
  expect(await shop.ordersOf(customer)).toEqual([])
})

/** MTN 1GB, 5.50 and 0.17 for the card, up to the open pop-up. */
async function payBundleByCard(page: Page): Promise<FrameLocator> {
  const dialog = await fillBuyPage(page)
  await expect(dialog.getByText('By card a 3% charge is added: ¢5.67 in all.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Pay without wallet (card)' }).click()
  await expectCharge(page, { price: '¢5.50', charge: '¢0.17', total: '¢5.67' })
  await answer(page, /proceed to checkout/, /^Pay ¢5\.67 by card$/)
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

function cardPopup(page: Page): FrameLocator {
  return page.getByTitle('Card payment').contentFrame()
}
