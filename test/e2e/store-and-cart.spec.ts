import type { Page } from '@playwright/test'
import type { Account } from './open-shop.ts'
import {
  alertOf,
  answer,
  chooseOffer,
  entriesOf,
  expect,
  fillBuyPage,
  firstTile,
  keepSession,
  networkSection,
  offerTile,
  openStore,
  placedSheet,
  putIntoCart,
  seeTransactions,
  shownBalance,
  stopClock,
  test,
  toastOf,
} from './shop.ts'

const PROCEED = 'Are you sure you want to proceed to checkout now?'
const CHECKING = 'We’re checking if it went through…'

test('a product out of stock is marked and cannot be chosen, and changes on the shelf are seen at once', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser())
  await openStore(page)
  const card = firstTile(page, 'Telecel')
  await expect(card).toBeEnabled()
  await expect(card).toContainText('¢24.50')

  await shop.setStock('Telecel', 'out of stock')
  await expect(networkSection(page, 'Telecel')).toContainText('(Out of stock)')
  await expect(card).toBeDisabled()
  const product = await shop.findProduct('Telecel')
  await page.goto(`/store?buy=${product._id}`)
  await expect(card).toBeDisabled()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('That bundle isn’t for sale right now.')).toBeVisible()

  await shop.setStock('Telecel', 'available')
  await expect(card).toBeEnabled()
  await page.goto('/store')
  await shop.setPrice('Telecel', '5GB', 23.4)
  await expect(card).toContainText('¢23.40')
  await shop.setPrice('Telecel', '5GB', 24.5)
  await expect(card).toContainText('¢24.50')
})

test('a receiver number is read as people type or paste it, and another network is warned about, not refused', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 100 }))
  await openStore(page)
  const dialog = await fillBuyPage(page, { phoneNumber: '+233 24 123 4567' })
  const receiver = dialog.getByLabel('Receiver phone number')
  await expect(receiver).toHaveValue('024 123 4567')
  await expect(dialog.getByRole('button', { name: 'Pay with wallet' })).toBeEnabled()

  await receiver.fill('0201234567')
  await expect(receiver).toHaveAccessibleDescription(/020 is usually a Telecel number\. Check it before you pay for MTN\./)
  await expect(dialog.getByRole('button', { name: 'Pay with wallet' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('020 is usually a Telecel number.')
  await answer(page, 'Are you sure you want to proceed to checkout now?', 'No')

  await receiver.fill('')
  await receiver.pressSequentially('+233201234567')
  await expect(receiver).toHaveValue('020 123 4567')
  for (let pressed = 0; pressed < 6; pressed++) await receiver.press('ArrowLeft')
  await receiver.press('Backspace')
  await receiver.press('Backspace')
  await receiver.pressSequentially('98')
  await expect(receiver).toHaveValue('020 983 4567')
  await receiver.fill('030')
  await expect(receiver).toHaveAccessibleDescription(/No mobile network in Ghana uses 030\. Check the number\./)
  await receiver.fill('0302123456')
  await expect(dialog.getByRole('button', { name: 'Pay with wallet' })).toBeDisabled()

  await receiver.fill('02412345678')
  await expect(receiver).toHaveValue('024 123 4567')
  await expect(dialog.getByText(/is usually/)).toHaveCount(0)
  await receiver.fill('')
  await receiver.pressSequentially('abc')
  await expect(receiver).toHaveAccessibleDescription(/No saved name has “abc” in it/)
  await expect(dialog.getByRole('button', { name: 'Add to cart' })).toBeDisabled()
})

test('a cart is filled, counted, thinned out and emptied', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 5 }))
  await page.goto('/cart')
  const main = page.getByRole('main')
  const checkouts = ['Checkout with wallet', 'Checkout without wallet (card)'].map((name) => main.getByRole('button', { name }))
  await expect(main.getByText('Your cart is empty')).toBeVisible()
  await expect(main.getByText('Subtotal (0 items)')).toBeVisible()
  for (const button of checkouts) await expect(button).toBeDisabled()
  await main.getByRole('link', { name: 'Go to the store' }).click()
  await page.getByRole('button', { name: 'I understand' }).click()

  await putIntoCart(page, { offer: '10GB', phoneNumber: '0241234567' })
  await expect(toastOf(page, 'Added to your cart')).toBeVisible()
  const cartLink = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' })
  await expect(cartLink).toContainText('1 item')
  await putIntoCart(page, { network: 'AirtelTigo', offer: '1GB', phoneNumber: '0261234567' })
  await expect(cartLink).toContainText('2 items')

  await cartLink.click()
  const lines = main.getByRole('listitem')
  await expect(lines).toHaveCount(2)
  await expect(lines.nth(0)).toContainText('1')
  await expect(lines.nth(0)).toContainText('MTN')
  await expect(lines.nth(0)).toContainText('10GB')
  await expect(lines.nth(0)).toContainText('024 123 4567')
  await expect(lines.nth(0)).toContainText('¢48.00')
  await expect(lines.nth(1)).toContainText('AirtelTigo')
  await expect(main.getByText('Subtotal (2 items)')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Checkout with wallet ¢53.00' })).toBeVisible()

  await page.reload()
  await expect(lines).toHaveCount(2)
  const remove = lines.getByRole('button', { name: /^Remove/ })
  await remove.nth(0).click()
  await expect(lines.nth(0)).toContainText('Removed 10GB for 024 123 4567.')
  await expect(main.getByText('Subtotal (1 item)')).toBeVisible()
  await lines.nth(0).getByRole('button', { name: 'Undo' }).click()
  await expect(lines.nth(0)).toContainText('¢48.00')
  await expect(main.getByText('Subtotal (2 items)')).toBeVisible()

  await remove.nth(0).click()
  await expect(remove).toHaveCount(1)
  await expect(main.getByText('Subtotal (1 item)')).toBeVisible()
  await expect(cartLink).toContainText('1 item')

  await remove.click()
  await expect(main.getByText('Your cart is empty')).toBeVisible()
  for (const button of checkouts) await expect(button).toBeDisabled()
  expect(await page.evaluate(() => localStorage.getItem('cartItems'))).toBeNull()
})

test('a cart is bought from the wallet in one go', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await fillCart(page, customer)
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await answer(page, PROCEED)
  await expect(placedSheet(page)).toContainText('Purchase made successfully')
  await expect(placedSheet(page)).toContainText('Orders placed successfully')
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await expect(shownBalance(page)).toContainText('¢49.50')
  await expect(page).toHaveURL('/user/history')
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(2)
  expect(await shop.balanceOf(customer)).toBe(49.5)
})

test('a cart that costs more than the wallet holds is not bought, and a top-up is offered after two seconds', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 10 })
  await page.clock.install({ time: '2026-01-05T10:00:00Z' })
  await fillCart(page, customer)
  await stopClock(page, '2026-01-05T11:00:00Z')
  // Nothing is asked that would be refused after a yes.
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await expect(alertOf(page, 'Insufficient balance. Please recharge your account.')).toBeVisible()
  await page.clock.runFor(1_900)
  await expect(page.getByText('Do you want to top up?')).toHaveCount(0)
  await page.clock.runFor(200)
  await answer(page, 'Do you want to top up?', 'No')
  await page.clock.resume()
  await expect(page).toHaveURL('/cart')
  await expect(page.getByText('Subtotal (2 items)')).toBeVisible()

  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await answer(page, 'Do you want to top up?')
  await expect(page).toHaveURL('/user/finance')
  await expect(page.getByText(/^You need ¢.* more for your cart \(2 items\)\.$/)).toBeVisible()
  expect(await shop.ordersOf(customer)).toEqual([])
  expect(await shop.balanceOf(customer)).toBe(10)
})

test('a price that changes is never charged in silence', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await fillCart(page, customer)
  try {
    await shop.setPrice('MTN', '1GB', 5.8)
    await expect(page.getByText('The price has changed from ¢5.50 to ¢5.80.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Checkout with wallet ¢10.80' })).toBeVisible()

    // The price changes again while the question with the old total stands: what was agreed to is not for sale.
    await page.getByRole('button', { name: 'Checkout with wallet' }).click()
    await expect(page.getByRole('alertdialog').getByText('¢10.80').first()).toBeVisible()
    await shop.setPrice('MTN', '1GB', 7)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('cartItems'))).toContain('"amount":7')
    await answer(page, /^The price of 1GB has changed from ¢5\.80 to ¢7\.00\./, 'Go back')
    expect(await shop.ordersOf(customer)).toEqual([])
    expect(await shop.balanceOf(customer)).toBe(60)
    await expect(page.getByRole('button', { name: 'Checkout with wallet ¢12.00' })).toBeVisible()
    await expect(page).toHaveURL('/cart')

    await page.getByRole('button', { name: 'Checkout with wallet' }).click()
    await answer(page, PROCEED)
    await expect(placedSheet(page)).toContainText('Orders placed successfully')
    expect(await shop.balanceOf(customer)).toBe(48)
  } finally {
    await shop.setPrice('MTN', '1GB', 5.5)
  }
})

test('what has left the shelf must leave the cart before it is paid for', { tag: '@desktop' }, async ({ page, shop }) => {
  await fillCart(page, await shop.makeUser({ balance: 60 }))
  try {
    await shop.setStock('AirtelTigo', 'out of stock')
    await expect(page.getByText('No longer available. Please remove it.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Checkout with wallet' })).toBeDisabled()
    await page.getByRole('button', { name: /^Remove AirtelTigo/ }).click()
    await expect(page.getByRole('button', { name: 'Checkout with wallet' })).toBeEnabled()
  } finally {
    await shop.setStock('AirtelTigo', 'available')
  }
})

test('pressing twice buys once', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await keepSession(page, customer)
  await openStore(page)
  // The shop is slow to say whether a payment for the same still waits, so that the second press of Yes comes before it has.
  const { promise: pressed, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/api/payment/mine*', async (route) => {
    await pressed
    await route.continue().catch(() => undefined)
  })
  const dialog = await fillBuyPage(page)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).dblclick()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).dblclick()
  goOn()
  await expect(placedSheet(page)).toContainText('Your order is placed successfully')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(placedSheet(page)).toBeVisible()
  await seeTransactions(page)
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1)
  expect(await shop.balanceOf(customer)).toBe(54.5)
})

test('a page that is loaded again during a checkout buys once and tells so', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await fillCart(page, customer)
  const keys: (string | undefined)[] = []
  let arrived = () => {}
  const first = new Promise<void>((resolve) => {
    arrived = resolve
  })
  await page.route('**/api/order/checkout', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    // The shop has done it, and its reply never comes.
    await route.fetch()
    arrived()
  })
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await answer(page, PROCEED)
  await first
  // Not until all is loaded: the sheet leads on by itself after some seconds.
  await page.reload({ waitUntil: 'commit' })
  // In a sheet, or in a toast if the answer is there before the cart is.
  await expect(placedSheet(page).or(toastOf(page, 'Orders placed successfully')).first()).toContainText('Orders placed successfully')
  await expect(page).toHaveURL('/user/history')
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(2)
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' })).not.toContainText('item')
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBeGreaterThan(1)
  expect(await shop.balanceOf(customer)).toBe(49.5)
})

test('a lost reply buys once, and the page says that it is finding out', async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await keepSession(page, customer)
  await openStore(page)
  let lost = 0
  let isLosing = true
  await page.route('**/api/order/checkout', async (route) => {
    if (!isLosing) return route.continue()
    lost += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  troubles.expect(/^failed POST \/api\/order\/checkout/)
  const dialog = await fillBuyPage(page)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, PROCEED)
  await expect(page.getByText(CHECKING)).toBeVisible()
  await expect(page.getByText('you won’t be charged twice')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Pay with wallet' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Pay without wallet (card)' })).toBeDisabled()

  isLosing = false
  await expect(page.getByText('Your order is placed successfully').first()).toBeVisible()
  await expect(page.getByText(CHECKING)).toHaveCount(0)
  await expect(shownBalance(page)).toContainText('¢54.50')
  expect(lost).toBeGreaterThan(0)
  expect(await shop.ordersOf(customer)).toHaveLength(1)
  expect(await shop.balanceOf(customer)).toBe(54.5)
})

test('a request that never reaches the shop is made again until it does', async ({ page, context, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await fillCart(page, customer)
  troubles.expect(/ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await answer(page, PROCEED)
  await expect(page.getByText(CHECKING)).toBeVisible()
  expect(await shop.ordersOf(customer)).toEqual([])
  await context.setOffline(false)
  await expect(placedSheet(page)).toContainText('Orders placed successfully')
  expect(await shop.ordersOf(customer)).toHaveLength(2)
  expect(await shop.balanceOf(customer)).toBe(49.5)
})

test('what was bought stays on the screen until it is closed, and leads to another number or the same again', { tag: '@long' }, async ({
  page,
  shop,
  troubles,
}) => {
  const customer = await shop.makeUser({ balance: 60 })
  await keepSession(page, customer)
  await openStore(page)
  let dialog = await fillBuyPage(page, { phoneNumber: '0241234567' })
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, PROCEED)
  await expect(placedSheet(page)).toContainText('024 123 4567')
  await expect(placedSheet(page)).toContainText('¢54.50')

  // Also when it was the last one that the shop had.
  await shop.setStock('MTN', 'out of stock')
  await expect(page.getByText('(Out of stock)').first()).toBeAttached()
  await expect(placedSheet(page)).toBeVisible()
  await shop.setStock('MTN', 'available')
  await expect(page.getByText('(Out of stock)')).toHaveCount(0)

  await placedSheet(page).getByRole('button', { name: 'Another number' }).click()
  dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  await expect(dialog.getByLabel('Receiver phone number')).toBeFocused()
  await expect(dialog.getByLabel('Receiver phone number')).toHaveValue('')
  await expect(dialog.getByRole('group', { name: 'Receivers' })).toContainText('024 123 4567')
  await chooseOffer(dialog, '2GB')
  // Enter goes on from the number to the question.
  await dialog.getByLabel('Receiver phone number').pressSequentially('0557654321')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText('055 765 4321')
  await answer(page, PROCEED)
  await expect(placedSheet(page)).toContainText('¢44.00')

  troubles.expect(/^409 POST \/api\/order\/checkout$/)
  await placedSheet(page).getByRole('button', { name: 'Buy again' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('055 765 4321')
  await answer(page, PROCEED)
  await answer(page, /MTN 2GB for 055 765 4321, is still on its way/, 'No, wait for it')
  await expect(toastOf(page, /Not bought again/)).toBeVisible()
  await page.getByRole('dialog', { name: 'BUY PAGE' }).getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, PROCEED)
  await answer(page, /is still on its way/, 'Buy again')
  await expect(placedSheet(page)).toContainText('¢33.50')
  await seeTransactions(page)
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(3)
  expect(await shop.balanceOf(customer)).toBe(33.5)
})

test('airtime asks for its network, and a checker says how its PIN comes', { tag: '@long' }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await keepSession(page, customer)
  await openStore(page)
  await networkSection(page, 'Airtime')
    .getByRole('button', { name: /^GHS 5 MTN/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  const receiver = dialog.getByLabel('Receiver phone number')
  await receiver.fill('0201234567')
  await expect(receiver).toHaveAccessibleDescription(/020 is usually a Telecel number\. Check it before you pay for MTN airtime\./)
  await dialog.getByRole('group', { name: 'Airtime for which network?' }).getByRole('button', { name: 'Telecel' }).click()
  await expect(dialog.getByRole('radio', { name: /^GHS 5 Telecel/ })).toBeChecked()
  await expect(receiver).not.toHaveAccessibleDescription(/is usually/)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, PROCEED)
  await expect(placedSheet(page)).toBeVisible()
  expect((await shop.ordersOf(customer))[0]).toMatchObject({ network: 'Airtime', offer: 'Telecel GHS 5', receiver: '0201234567' })

  await placedSheet(page).getByRole('button', { name: 'Close' }).click()
  await offerTile(page, 'WAEC Checkers', 'BECE').click()
  await receiver.fill('0241234567')
  await expect(receiver).toHaveAccessibleDescription('We send the PIN and serial number to this phone by SMS.')
})

test('people have names: saved, found by typing, kept by the shop, renamed and forgotten', { tag: '@long' }, async ({
  page,
  shop,
  browserOf,
}) => {
  const customer = await shop.makeUser({ balance: 60 })
  await shop.buy(customer, [{ phoneNumber: '0551110002' }, { phoneNumber: '0551110001' }])
  await keepSession(page, customer)
  // As a phone's browser has it; those on a computer have no contacts.
  await page.addInitScript(() => {
    Object.assign(window, { ContactsManager: class {} })
    Object.assign(navigator, { contacts: { select: async () => [{ name: ['Auntie'], tel: ['+233 55 111 0003'] }] } })
  })
  await openStore(page)
  await offerTile(page, 'MTN', '2GB').click()
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  const receiver = dialog.getByLabel('Receiver phone number')
  // The last receiver is there, on a phone that has never seen them.
  await expect(receiver).toHaveValue('055 111 0001')
  await dialog.getByRole('button', { name: 'Save a name for this number' }).click()
  await page.getByLabel('Name for 055 111 0001').fill('Router')
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Saved as Router')).toBeVisible()
  await dialog.getByRole('button', { name: '055 111 0002' }).click()
  await expect(receiver).toHaveValue('055 111 0002')

  // Typing a name finds the number; the first Enter chooses it, the second goes on.
  const pay = dialog.getByRole('button', { name: 'Pay with wallet' })
  const at = await pay.boundingBox()
  await receiver.fill('')
  await receiver.pressSequentially('rou')
  await expect(receiver).toHaveAccessibleDescription('Enter chooses Router')
  expect(await pay.boundingBox()).toEqual(at)
  await page.keyboard.press('Enter')
  await expect(receiver).toHaveValue('055 111 0001')
  expect(await pay.boundingBox()).toEqual(at)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText('Router')
  await answer(page, PROCEED, 'No')

  const elsewhere = await browserOf(customer)
  await openStore(elsewhere)
  await offerTile(elsewhere, 'MTN', '1GB').click()
  await expect(elsewhere.getByRole('dialog', { name: 'BUY PAGE' }).getByRole('button', { name: 'Router' })).toBeVisible()

  await dialog.getByRole('button', { name: 'Contacts' }).click()
  const contacts = page.getByRole('dialog', { name: 'Contacts' })
  await contacts.getByRole('button', { name: 'Rename Router' }).click()
  await expect(page.getByLabel('Name for 055 111 0001')).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Mum')
  await page.keyboard.press('Enter')
  await contacts.getByRole('button', { name: 'Delete Mum' }).click()
  await answer(page, 'Forget the name Mum?', 'Delete')
  await expect(contacts.getByText('Mum')).toHaveCount(0)
  const receivers = await shop.call<{ name: string | null }[]>('GET', '/contact', { as: customer })
  expect(receivers.map(({ name }) => name)).toEqual([null, null])

  await contacts.getByRole('button', { name: 'From my phone' }).click()
  await expect(page.getByLabel('Name for 055 111 0003')).toHaveValue('Auntie')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(receiver).toHaveValue('055 111 0003')
  await expect(dialog.getByRole('button', { name: 'Auntie' })).toBeVisible()
})

/** MTN 1GB at 5.50 and AirtelTigo 1GB at 5.00, with the cart open. */
async function fillCart(page: Page, customer: Account) {
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await putIntoCart(page, { network: 'AirtelTigo', phoneNumber: '0261234567' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' }).click()
  await expect(page.getByText('Subtotal (2 items)')).toBeVisible()
}
