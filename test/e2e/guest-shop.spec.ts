import { expect, test } from './shop.ts'

test('on a phone a guest buys in the shop of an agent without an account, and follows the order', async ({ page, shop }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const agent = await shop.makeUser({ level: 'Agent' })
  const look = { slug: 'madina', name: 'Akosua Data', about: 'Madina', colour: 'plum', phone: '0245550100', whatsapp: '0245550100' }
  await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true } })
  await shop.call('POST', '/my-shop', { as: agent, body: look })
  await page.goto('/s/madina')
  await expect(page.getByRole('heading', { level: 1, name: 'Akosua Data' })).toBeVisible()
  await page.locator('#mtn').getByRole('button').first().click()
  const sheet = page.getByRole('dialog', { name: /^MTN/ })
  await sheet.getByLabel('Who gets the data?').fill('0245550142')
  await sheet.getByRole('button', { name: /^Pay with mobile money or card/ }).click()
  await page
    .getByTitle('Card payment')
    .contentFrame()
    .getByRole('button', { name: /^Pay .* by card$/ })
    .click()
  await expect(page.getByText('Paid. Your order is placed.')).toBeVisible()
  await page.getByRole('link', { name: /^Follow order/ }).click()
  await expect(page).toHaveURL(/\/t\/[A-Za-z0-9]{16,24}$/)
  await expect(page.getByText(/024 ••• 0142|024.*0142/).first()).toBeVisible()
})
