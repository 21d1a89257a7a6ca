import { expect, keepSession, test } from './shop.ts'

const forty = Array.from({ length: 36 }, (_, index) => `${index % 2 ? '+233 24' : '024'} 555 ${1000 + index}, ${[1, 2, 5][index % 3]}GB`)
const LIST = ['0595550103 2', 'MTN 0205550118 5GB', '0595550103 2', '024555013 5GB', '', ...forty].join('\n')

test.use({ viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] })

test('forty orders: Paste, Check, Pay, Yes; what is doubtful or wrong is decided in place, and nothing is paid for twice', async ({
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

  const orders = await shop.ordersOf(agent)
  expect(await shop.balanceOf(agent)).toBeCloseTo(1000 - price)
  expect(orders.length).toBeGreaterThan(0)
  await page.goto('/agent/bulk')
  await expect(page.getByRole('button', { name: 'Clear' })).toBeDisabled()

  // The same list once more: each line is on its way already, and nothing goes again unasked.
  await page.goto('/agent')
  await page.getByRole('button', { name: 'Paste' }).click()
  await expect(page.getByText('0 ready').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay for 0/ })).toBeDisabled()
})
