import { check } from './check-accessibility.ts'
import { answer, expect, fillBuyPage, keepSession, openStore, placedSheet, putIntoCart, test, toastOf } from './shop.ts'

const PROCEED = 'Are you sure you want to proceed to checkout now?'

test('a guest buys a checker, sees it with the number it was bought with, and has the SMS sent again', { tag: '@long' }, async ({
  page,
  shop,
  troubles,
}) => {
  await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true } })
  const agent = await shop.makeUser({ level: 'Agent' })
  const look = { slug: 'results', name: 'Akosua Results', about: null, colour: 'plum', phone: null, whatsapp: null }
  await shop.call('POST', '/my-shop', { as: agent, body: look })
  await page.goto('/s/results')
  await page.locator('#waec-checkers').getByRole('button', { name: /BECE/ }).click()
  const sheet = page.getByRole('dialog', { name: /^WAEC Checkers/ })
  await sheet.getByLabel('Who gets it?').fill('0245550142')
  await sheet.getByRole('button', { name: /^Pay with mobile money or card/ }).click()
  const popup = page.getByTitle('Card payment').contentFrame()
  await popup.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await page.getByRole('link', { name: /^Follow order/ }).click()

  troubles.expect(/^404 POST \/api\/track\/\w+\/checkers$/)
  const number = page.getByLabel('The number you bought with')
  await number.fill('0245550143')
  await page.getByRole('button', { name: 'Show my checker' }).click()
  await expect(page.getByText('That is not the number of this order.')).toBeVisible()
  await number.fill('0245550142')
  await page.getByRole('button', { name: 'Show my checker' }).click()
  await expect(page.getByText(/^BEC0000000\d\d$/)).toBeVisible()
  // The sale sent it a moment ago.
  troubles.expect(/^409 POST \/api\/track\/\w+\/checkers\/send$/)
  await page.getByRole('button', { name: 'Send by SMS again' }).click()
  await expect(page.getByText(/You can have it sent again from/)).toBeVisible()
})

test('a customer buys a checker from the wallet and sees it on the page; the owner replaces a faulty one, and they see the new one', {
  tag: '@long',
}, async ({ page, shop, browserOf }) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 50 })
  await keepSession(page, customer)
  await openStore(page)
  const dialog = await fillBuyPage(page, { network: 'WAEC Checkers', offer: 'BECE', phoneNumber: '0245550144' })
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, PROCEED)
  const placed = placedSheet(page)
  await expect(placed.getByRole('button', { name: /copy the PIN$/ })).toContainText(/\d{6,}/)
  await check(page, 'a checker that was just bought')
  await placed.getByRole('link', { name: 'See the order' }).click()
  await expect(page).toHaveURL(/\/order\/\d+$/)
  const serial = page.getByRole('button', { name: /copy the serial$/ })
  await expect(serial).toContainText(/BEC\d+/)
  await expect(page.getByRole('button', { name: /copy the PIN$/ })).toContainText(/\d{6,}/)
  await check(page, 'the checker of an order')
  const faulty = ((await serial.textContent()) ?? '').match(/BEC\d+/)?.[0] as string
  const [order] = await shop.ordersOf(customer)
  expect(order?.status).toBe('completed')

  const owner = await browserOf(shop.admin)
  await owner.goto(`/admin/orders/${order?.number}`)
  await expect(owner.getByText(faulty)).toHaveCount(0)
  await owner.getByRole('button', { name: 'Replace…' }).click()
  await expect(owner.getByRole('button', { name: 'Replace it' })).toBeDisabled()
  await owner.getByLabel('What is wrong with it?').fill('The portal says that it was used.')
  await owner.getByRole('button', { name: 'Replace it' }).click()
  await expect(toastOf(owner, 'Replaced, and sent to the buyer')).toBeVisible()
  await expect(owner.getByText('Faulty: The portal says that it was used.')).toBeVisible()
  await expect(owner.getByText('Replacement', { exact: true })).toBeVisible()
  await check(owner, 'a replaced checker for staff')

  await page.reload()
  await expect(page.getByText(faulty)).toBeVisible()
  await expect(page.getByText('This one was faulty. The one below works instead.')).toBeVisible()
  await expect(serial).toHaveCount(1)
  await expect(serial).not.toContainText(faulty)
  await expect(serial).toContainText(/BEC\d+/)
  await check(page, 'a replaced checker')
  const left = await shop.balanceOf(customer)
  expect(left).toBe(50 - (order?.totalAmount ?? 0))
})

test('a checker that is sold out is marked so in the store, on the BUY PAGE and in the cart', async ({ page, shop }) => {
  const buyer = await shop.makeUser({ balance: 50 })
  await keepSession(page, buyer)
  await openStore(page)
  await putIntoCart(page, { network: 'WAEC Checkers', offer: 'WASSCE', phoneNumber: '0245550142' })
  const { _id } = await shop.findProduct('WAEC Checkers')
  // From then on it comes from a stock without a code.
  const sellFrom = (kind: string) =>
    shop.call('PUT', '/admin/checkers/packages', { as: shop.admin, body: { productId: _id, offer: 'WASSCE', kind, units: 1 } })
  await sellFrom('novdec')
  await page.goto('/cart')
  await expect(page.getByText('No longer available. Please remove it.')).toBeVisible()
  await page.goto(`/store?buy=${_id}&offer=WASSCE`)
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  await expect(dialog.getByText('That offer is out of stock. Please choose another.')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /WASSCE.*Out of stock/ })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Add to cart' })).toBeDisabled()
  await sellFrom('wassce')
})
