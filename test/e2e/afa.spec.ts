import type { Product } from '../../shared/products.ts'
import { check } from './check-accessibility.ts'
import { answer, expect, keepSession, test, toastOf } from './shop.ts'

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
  await expect(staff.getByText('A… S… M…')).toBeVisible()
  await staff.getByRole('button', { name: 'Show the details' }).click()
  await staff.getByLabel('Reason').fill('The buyer called us')
  await answer(staff, /is recorded/, 'Show them')
  await expect(staff.getByText('Ama Serwaa Mensah')).toBeVisible()
  await check(staff, 'the AFA screen')
  const saved = staff.waitForEvent('download')
  await staff.getByRole('button', { name: 'File for the registrar' }).click()
  expect((await saved).suggestedFilename()).toMatch(/-afa-\d+\.csv$/)
  await expect(staff.getByText('No details wait to be sent')).toBeVisible()
  await staff.getByRole('button', { name: 'At the registrar' }).click()
  await staff.getByRole('checkbox').check()
  await staff.getByRole('button', { name: 'Refuse and refund' }).click()
  await staff.getByLabel('Reason').fill('The card has expired.')
  await answer(staff, /get their money back/, 'Refuse and refund')
  await expect(toastOf(staff, '1 order refunded.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('The registrar refused it, and you have your money back. The card has expired.')).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(20)
})
