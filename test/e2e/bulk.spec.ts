import type { Order } from '../../shared/orders.ts'
import { expect, keepSession, test } from './shop.ts'

const forty = Array.from({ length: 36 }, (_, index) => `${index % 2 ? '+233 24' : '024'} 555 ${1000 + index}, ${[1, 2, 5][index % 3]}GB`)
const LIST = ['0595550103 2', 'MTN 0205550118 5GB', '0595550103 2', '024555013 5GB', '', ...forty].join('\n')

test.use({ viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] })

test('forty orders: Paste, Check, Pay, Yes; what is refused goes again once, and the list becomes a group with its time', async ({
  page,
  shop,
}) => {
  const agent = await shop.makeUser({ level: 'Agent', balance: 1000 })
  await keepSession(page, agent)
  await page.goto('/store')
  await page.evaluate((list) => {
    localStorage.setItem('seenNotice', '"x"')
    return navigator.clipboard.writeText(list)
  }, LIST)

  // Typed lines say at once what was read.
  await page.goto('/agent/bulk')
  const field = page.getByLabel('One number a line')
  await field.pressSequentially('0265550127 1')
  await expect(page.getByText('026 555 0127 · 1GB · AirtelTigo · ¢4.40')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' }).click()
  await page.getByRole('button', { name: 'Paste' }).click()
  await expect(page.getByText('37 ready').first()).toBeVisible()

  await page.getByRole('button', { name: /^Telecel/ }).click()
  await page.getByRole('button', { name: 'Skip line 3' }).click()
  await page.getByLabel('Number and size on line 4').fill('0245550139 1GB')
  await page.getByRole('button', { name: 'Save' }).click()

  const pay = page.getByRole('button', { name: /^Pay for 39 lines/ })
  const price = Number((await pay.textContent())?.split('¢')[1])
  await pay.click()
  await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
  await expect(page.getByText('0 of 39 completed')).toBeVisible()

  expect(await shop.balanceOf(agent)).toBeCloseTo(1000 - price)
  const orders = await shop.ordersOf(agent)
  expect(orders).toHaveLength(39)

  // Each line stands where its order stands; only a refunded one goes again, and only once.
  const [refused, delivered] = orders as [Order, Order]
  await shop.decide(refused, 'rejected')
  await shop.decide(delivered, 'completed')
  await expect(page.getByText('1 of 39 completed')).toBeVisible()
  await expect(page.getByText('1 left out')).toBeVisible()
  await page.getByRole('button', { name: 'Try 1 again' }).click()
  await page.getByRole('button', { name: /^Pay for 1 line/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
  await expect(page.getByText('0 of 1 completed')).toBeVisible()
  await page.getByRole('link', { name: 'Past orders' }).click()
  await page.getByRole('link', { name: /39 lines/ }).click()
  await expect(page.getByText('Sent again')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Try/ })).toHaveCount(0)

  // The list is kept as a group, which is sent by itself on the first of the month.
  await page.getByRole('link', { name: 'Save as group' }).click()
  await page.getByLabel('Name').fill('Staff')
  await page.getByRole('button', { name: 'Save group' }).click()
  await page.getByRole('button', { name: 'Add a time' }).click()
  await page.getByLabel('Pay at most').fill('2000')
  await page.getByRole('button', { name: 'Save time' }).click()
  await expect(page.getByText('Every month, on the 1st at 08:00')).toBeVisible()
  await expect(page.getByText(/^Your wallet has ¢.* Top up/)).toBeVisible()

  // Sent once more, each line is on its way or was delivered just now, and nothing goes again unasked.
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(page.getByRole('button', { name: 'Clear' })).toBeDisabled()
  await page.getByRole('button', { name: 'Check Staff' }).click()
  await expect(page.getByRole('heading', { name: 'Check 39 lines' })).toBeVisible()
  await expect(page.getByText('39 to decide').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay for 0 ready/ })).toBeDisabled()
})
