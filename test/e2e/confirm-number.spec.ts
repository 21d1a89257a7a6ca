import { codeSentTo } from './earning-shop.ts'
import { expect, keepSession, test, toastOf } from './shop.ts'

test('on a phone a customer who waits for mobile money confirms the number once, by the code that comes', async ({
  page,
  shop,
  troubles,
}) => {
  const customer = await shop.makeUser()
  await shop.call('POST', '/recharge', { as: customer, body: { amount: 60 } })
  await keepSession(page, customer)
  await page.goto('/user/finance')
  const spaced = customer.phone.replace(/(...)(...)(....)/, '$1 $2 $3')
  const section = page.getByRole('region', { name: 'Credited by itself' })
  await expect(section).toContainText(`Confirm ${spaced} once`)
  await section.getByRole('button', { name: 'Confirm my number' }).click()
  const dialog = page.getByRole('dialog', { name: 'Type the code' })
  await expect(dialog).toContainText(spaced)
  await expect(dialog.getByText(/Send again in [01]:\d\d/)).toBeVisible()
  await expect.poll(codeSentTo(shop, customer.phone)).toMatch(/^\d{6}$/)
  troubles.expect(/^400 POST \/api\/user\/me\/numbers$/)
  const code = await codeSentTo(shop, customer.phone)()
  const field = dialog.getByLabel('Code from the message')
  await field.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
  await expect(dialog.getByText('That is not the code. You have 4 more tries.')).toBeVisible()
  await field.fill(code)
  await expect(dialog).toBeHidden()
  await expect(toastOf(page, `${spaced} is confirmed.`)).toBeVisible()
  await expect(section).toContainText(`Payments from ${spaced} are credited by themselves.`)
  await page.reload()
  await expect(section).toContainText(`Payments from ${spaced} are credited by themselves.`)
})

test('a customer who pays from another number confirms that one, or goes on with the reference', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await shop.call('POST', '/recharge', { as: customer, body: { amount: 60 } })
  await keepSession(page, customer)
  await page.goto('/user/finance')
  const section = page.getByRole('region', { name: 'Credited by itself' })
  await section.getByText('I pay from another number').click()
  await section.getByLabel('Mobile money number').fill('030 123')
  await section.getByRole('button', { name: 'Send the code' }).click()
  await expect(section.getByLabel('Mobile money number')).toHaveAttribute('aria-invalid', 'true')
  await section.getByLabel('Mobile money number').fill('027 555 0177')
  await section.getByRole('button', { name: 'Send the code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Type the code' })
  await expect(dialog).toContainText('027 555 0177')
  await dialog.getByRole('button', { name: 'Pay with the reference' }).click()
  await expect(dialog).toBeHidden()
  await expect(section).toContainText('Confirm')
})
