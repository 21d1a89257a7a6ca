import { expect, test } from './shop.ts'

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
  await sheet.getByLabel('Who gets the data?').fill('0245550142')
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
