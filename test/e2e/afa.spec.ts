import type { Product } from '../../shared/products.ts'
import { check } from './check-accessibility.ts'
import { answer, expect, fillBuyPage, keepSession, openStore, test, toastOf } from './shop.ts'

const PROCEED = 'Are you sure you want to proceed to checkout now?'

test('AFA asks whom it registers before it is paid for, in the store and by the cart', { tag: '@long' }, async ({ page, shop }) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 50 })
  await keepSession(page, customer)
  const open = async (phoneNumber: string) => {
    await openStore(page)
    return fillBuyPage(page, { network: 'AFA', offer: 'AFA registration', phoneNumber })
  }
  const fillIn = async (card: string, goesOn: string) => {
    const sheet = page.getByRole('dialog', { name: 'Who is registered for AFA?' })
    await sheet.getByLabel('Full name').fill('Ama Serwaa Mensah')
    await sheet.getByLabel('Ghana Card number').pressSequentially(card)
    await sheet.getByLabel('Date of birth').fill('1990-05-17')
    await sheet.getByLabel('Region').selectOption('Ashanti')
    await sheet.getByLabel('Town or village').fill('Kumasi')
    await sheet.getByLabel('Work').fill('Farmer')
    await sheet.getByRole('switch', { name: /I agree/ }).check()
    await check(page, 'the details for AFA before payment')
    await sheet.getByRole('button', { name: goesOn }).click()
    await expect(sheet).toBeHidden()
  }
  const first = await open('0244123456')
  await first.getByRole('button', { name: 'Pay with wallet' }).click()
  await fillIn('7555555551', 'Go on to pay')
  await answer(page, PROCEED)
  await expect.poll(() => shop.balanceOf(customer)).toBe(30)
  const second = await open('0244123457')
  await second.getByRole('button', { name: 'Add to cart' }).click()
  await fillIn('7555555552', 'Add to cart')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' }).click()
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await answer(page, PROCEED)
  await expect.poll(async () => (await shop.ordersOf(customer)).length).toBe(2)
  const orders = await shop.ordersOf(customer)
  expect(orders.map(({ needsDetails }) => needsDetails)).toEqual([undefined, undefined])
  await page.goto(`/order/${orders[0]?.number}`)
  await expect(page.getByText('We have the details and send them')).toBeVisible()
})

test('a wrong digit of a Ghana Card is corrected where it stands, Back leaves the sheet, and a reload keeps what is no secret', {
  tag: '@long',
}, async ({ page, shop }) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 20 })
  await keepSession(page, customer)
  const sheet = page.getByRole('dialog', { name: 'Who is registered for AFA?' })
  const open = async () => {
    await openStore(page)
    const dialog = await fillBuyPage(page, { network: 'AFA', offer: 'AFA registration', phoneNumber: '0244123458' })
    await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
    await expect(sheet).toBeVisible()
  }
  await open()
  const card = sheet.getByLabel('Ghana Card number')
  await card.pressSequentially('7123456709')
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'Backspace', '8']) await card.press(key)
  await expect(card).toHaveValue('GHA-712345678-9')
  await sheet.getByLabel('Full name').fill('Ama Serwaa Mensah')
  await sheet.getByLabel('Town or village').fill('Kumasi')
  await page.goBack()
  await expect(sheet).toBeHidden()

  await open()
  await page.reload()
  await open()
  await expect(sheet.getByLabel('Full name')).toHaveValue('Ama Serwaa Mensah')
  await expect(sheet.getByLabel('Town or village')).toHaveValue('Kumasi')
  await expect(card).toHaveValue('')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('GHA-')
  expect(await shop.ordersOf(customer)).toEqual([])
})

test('an AFA order asks for the person’s details, and staff send them to the registrar and refuse with a reason', { tag: '@long' }, async ({
  page,
  shop,
  browserOf,
}) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 20 })
  const afa = (await shop.call<Product[]>('GET', '/product')).find(({ network }) => network === 'AFA')
  const items = [{ productId: afa?._id, offer: 'AFA registration', amount: 20, phoneNumber: '0244123456' }]
  await shop.call('POST', '/order/checkout', { as: customer, body: { items }, headers: { 'idempotency-key': crypto.randomUUID() } })
  const [order] = await shop.ordersOf(customer)
  await keepSession(page, customer)
  await page.goto(`/order/${order?.number}`)
  await page.getByRole('button', { name: 'Send the details' }).click()
  await expect(page.getByLabel('Full name')).toHaveAccessibleDescription(/first name and the surname/)
  await page.getByLabel('Full name').fill('Ama Serwaa Mensah')
  await page.getByLabel('Ghana Card number').pressSequentially('7123456789')
  await expect(page.getByLabel('Ghana Card number')).toHaveValue('GHA-712345678-9')
  await expect(page.getByLabel('MTN number')).toHaveValue('024 412 3456')
  await page.getByLabel('Date of birth').fill('1990-05-17')
  await page.getByLabel('Region').selectOption('Ashanti')
  await page.getByLabel('Town or village').fill('Kumasi')
  await page.getByLabel('Work').fill('Farmer')
  await page.getByRole('button', { name: 'Send the details' }).click()
  await expect(page.getByText('Please agree that we pass the details on.')).toBeVisible()
  await page.getByRole('switch', { name: /I agree/ }).check()
  await check(page, 'the details of an AFA order')
  await page.getByRole('button', { name: 'Send the details' }).click()
  await expect(page.getByText('We have the details and send them')).toBeVisible()

  const staff = await browserOf(shop.admin)
  await staff.goto('/admin/afa')
  // Those of other journeys may wait beside it.
  const row = staff.getByRole('listitem').filter({ hasText: `Order${order?.number}` })
  await expect(row.getByText('A… S… M…')).toBeVisible()
  await row.getByRole('button', { name: 'Show the details' }).click()
  await staff.getByLabel('Reason').fill('The buyer called us')
  await answer(staff, /is recorded/, 'Show them')
  await expect(staff.getByText('Ama Serwaa Mensah')).toBeVisible()
  await check(staff, 'the AFA screen')
  const saved = staff.waitForEvent('download')
  await staff.getByRole('button', { name: 'File for the registrar' }).click()
  expect((await saved).suggestedFilename()).toMatch(/-afa-\d+\.csv$/)
  await expect(staff.getByText('No details wait to be sent')).toBeVisible()
  await staff.getByRole('button', { name: 'At the registrar' }).click()
  await row.getByRole('checkbox').check()
  await staff.getByRole('button', { name: 'Refuse and refund' }).click()
  await staff.getByLabel('Reason').fill('The card has expired.')
  await answer(staff, /get their money back/, 'Refuse and refund')
  await expect(toastOf(staff, '1 order refunded.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('The registrar refused it, and you have your money back. The card has expired.')).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(20)
})
